begin;
select plan(14);
select test.clean_slate();
update private.installation set token_issuer = 'https://id.example.org';
create temp table token on commit drop as
  select '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "role": "user", "user_type": "user",
    "token_use": "access", "iss": "https://id.example.org", "exp": 9999999999}'::jsonb as claims;

select is(private.postgrest_claims(claims), claims, 'the claims of an access token are accepted as they are') from token;
select is(private.postgrest_claims(claims - absent), null, 'a token without ' || absent || ' names nobody')
from token, unnest(array['iss', 'token_use', 'exp', 'sub', 'sid']) absent;
select is(private.postgrest_claims(claims || changes), null, 'a token with ' || changes::text || ' names nobody')
from token, unnest(array['{"iss": null}', '{"iss": "https://evil.example.org"}', '{"token_use": "refresh"}', '{"token_use": null}', '{"exp": null}', '{"exp": 1}']::jsonb[]) changes;
select is(private.postgrest_claims(null), null, 'nor does null');
update private.installation set token_issuer = null;
select is(private.postgrest_claims(claims), null, 'before a server has started no token is ours') from token;
select * from finish();
rollback;
