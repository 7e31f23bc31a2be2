begin;
select plan(14);
select test.clean_slate();
update private.installation set token_issuer = 'https://id.example.org';
create temp table token on commit drop as
  select '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "user_type": "user",
    "token_use": "access", "iss": "https://id.example.org"}'::jsonb as claims;
grant select on token to latchkey_application;
set local role latchkey_application;
savepoint before;
select latchkey.begin_session(claims) from token;
select is(latchkey.user_id(), '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01', 'begin_session says who the caller is');
select is(latchkey.claims(), claims, 'with all claims of the token') from token;
select latchkey.begin_session(claims || '{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a03"}') from token;
select is(latchkey.user_id(), '6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a03', 'a later call replaces an earlier one');
select throws_ok(format('select latchkey.begin_session(%L)', claims || changes), '22023', null, what || ' is refused')
from token, (values
  ('{"iss": "https://evil.example.org"}'::jsonb, 'the token of another issuer'),
  ('{"token_use": "refresh"}', 'a refresh token'),
  ('{"exp": 1}', 'an expired token'),
  ('{"user_type": "admin"}', 'an admin'),
  ('{"sub": "me"}', 'an id that is no uuid')
) r (changes, what);
select throws_ok($$select latchkey.begin_session('{}')$$, '22023', null, 'an empty object is refused');
select set_config('request.jwt.claims', claims::text, true) from token;
select latchkey.begin_session(null);
select is(latchkey.role(), null, 'null is nobody, whatever other sources have');
rollback to before;
select is(latchkey.role(), null, 'the session ends with the transaction');
reset role;

-- The program of GraphQL has said who the caller is: a definer function of the application cannot say otherwise.
create role test_owner in role latchkey_application;
create function public.become_somebody(claims jsonb) returns void language sql security definer
as $$ select latchkey.begin_session($1) $$;
alter function public.become_somebody(jsonb) owner to test_owner;
grant execute on function public.become_somebody(jsonb) to latchkey_user;
set local session authorization latchkey_graphql;
set local role latchkey_user;
select throws_ok($$select public.become_somebody('{"sub": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a01", "sid": "6f1c1f3a-0c6b-4c3e-9f53-6d0b8a4c1a02", "role": "user"}')$$,
  '42501', null, 'in a session of GraphQL''s program begin_session is refused');
reset session authorization;
select function_privs_are('latchkey', 'begin_session', array['jsonb'], role, privileges, role || ' can execute: ' || privileges::text)
from (values ('latchkey_user', '{}'::text[]), ('latchkey_graphql', '{}')) r (role, privileges);
select * from finish();
rollback;
