begin;
select plan(40);
select test.clean_slate();
update private.installation set token_issuer = 'https://id.example.org';
create temp table token on commit drop as
  select ('{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "role": "user", "user_type": "user",
    "token_use": "access", "iss": "https://id.example.org", "aud": "api", "plan": "pro"}'::jsonb
    || jsonb_build_object('exp', floor(extract(epoch from now())) + 60)) as claims;
create function pg_temp.claims_with(changes jsonb) returns jsonb language sql
as $$ select private.token_claims(t.claims || changes) from token t $$;

select is(pg_temp.claims_with('{}'), claims, 'the claims of an access token are accepted as they are') from token;
select is(pg_temp.claims_with(changes) ->> 'user_type', user_type, what || ' is accepted')
from (values
  ('{"role": "authenticated"}'::jsonb, 'user', 'another program''s role'),
  ('{"user_type": null}', 'user', 'a role without user_type'),
  ('{"iss": null, "token_use": null}', 'user', 'a token without issuer and use'),
  ('{"sub": "6F1C1F3A-0C6B-4C3E-9F53-6D0B8A4C1A01"}', 'user', 'an id in upper case'),
  ('{"user_type": "guest", "sub": "6F1C1F3A-0C6B-4C3E-9F53-6D0B8A4C1A02"}', 'guest', 'a guest, whose id is the session''s'),
  ('{"exp": 99999999999.5}', 'user', 'an end with a fraction')
) a (changes, user_type, what);
select is(private.token_claims(t.claims - 'exp') ->> 'user_type', 'user', 'claims without an end are accepted') from token t;

select is(pg_temp.claims_with(changes), null, what || ' names nobody')
from (values
  ('{"iss": "https://evil.example.org"}'::jsonb, 'another issuer'),
  ('{"iss": ["https://id.example.org"]}', 'a list of issuers'),
  ('{"token_use": "refresh"}', 'a refresh token'),
  ('{"token_use": ["access"]}', 'a list of uses'),
  ('{"user_type": "admin"}', 'an admin'),
  ('{"user_type": null, "role": "admin"}', 'a role admin'),
  ('{"user_type": null, "role": "authenticated"}', 'a role that is not ours alone'),
  ('{"user_type": null, "role": null}', 'no role'),
  ('{"user_type": ["user"]}', 'a list of roles'),
  ('{"user_type": "User"}', 'a role in another case'),
  ('{"user_type": "guest"}', 'a guest with another id than the session''s'),
  ('{"user_type": "guest", "sid": null}', 'a guest without session'),
  ('{"sub": null}', 'no id'),
  ('{"sub": ""}', 'an empty id'),
  ('{"sub": 7}', 'an id of another type'),
  ('{"sub": {"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01"}}', 'an object as an id'),
  ('{"sub": "6f1c1f3a0c6b4c3e9f536d0b8a4c1a01"}', 'an id without hyphens'),
  ('{"sub": "{6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01}"}', 'an id in braces'),
  ('{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01\n"}', 'an id with a line break'),
  ('{"sid": null}', 'no session'),
  ('{"sid": "1'' or true --"}', 'a session that is no uuid'),
  ('{"sid": []}', 'a list as a session'),
  ('{"exp": 0}', 'an expired token'),
  ('{"exp": "9999999999"}', 'an end that is a string'),
  ('{"exp": null}', 'an end that is null')
) r (changes, what);
select is(pg_temp.claims_with(jsonb_build_object('exp', extract(epoch from now()))), null, 'a token that expires now names nobody');

select is(private.token_claims(claims), null, 'claims that are ' || coalesce(claims::text, 'null') || ' name nobody')
from unnest(array['null', '"user"', '[]', '{}', '["sub", "sid"]', null]::jsonb[]) claims;
select * from finish();
rollback;
