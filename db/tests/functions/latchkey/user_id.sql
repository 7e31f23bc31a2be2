begin;
select plan(19);
select test.clean_slate();
update private.installation set token_issuer = 'https://id.example.org';
create temp table fixture on commit drop as
  select alice, (test.open_session(alice)).session_id as session_id, (test.open_session(null)).session_id as guest_id
  from (select test.make_account('+12025550101') as alice) a;
grant select on fixture to public;

select test.become('latchkey_user', alice, session_id) from fixture;
select is(latchkey.user_id(), alice, 'a user of GraphQL is the caller') from fixture;
select test.become('latchkey_guest', session_id => guest_id) from fixture;
select is(latchkey.user_id(), null, 'a guest has no account');
select test.become('latchkey_admin');
select is(latchkey.user_id(), null, 'nor has the admin');
reset role;
select set_config('latchkey.identity', '', true);

set local role latchkey_application;
select is(latchkey.user_id(), null, 'where nobody is signed in there is none');
select latchkey.begin_session(jsonb_build_object('sub', alice, 'sid', session_id, 'role', 'user')) from fixture;
select is(latchkey.user_id(), alice, 'whoever began a session of the application''s is the caller') from fixture;
select latchkey.begin_session(null);
select is(latchkey.user_id(), null, 'until it ends');
reset role;
select set_config('latchkey.identity', '', true);
set local role latchkey_application;
select set_config('request.jwt.claims', jsonb_build_object('sub', upper(alice::text), 'sid', session_id, 'role', 'authenticated', 'user_type', 'user',
  'token_use', 'access', 'iss', 'https://id.example.org', 'exp', 9999999999)::text, true)
from fixture;
select is(latchkey.user_id(), alice, 'the token that PostgREST verified names the caller, in upper case too') from fixture;
select set_config('request.jwt.claims', '{"role": "anon"}', true);
select is(latchkey.user_id(), null, 'a caller of PostgREST without a token is nobody');
select set_config('request.jwt.claims', '', true);
select set_config('hasura.user', jsonb_build_object('x-hasura-role', 'user', 'x-hasura-user-id', alice, 'x-hasura-session-id', session_id)::text, true)
from fixture;
select is(latchkey.user_id(), alice, 'Hasura names the caller') from fixture;
select set_config('hasura.user', '{"x-hasura-role": "admin"}', true);
select is(latchkey.user_id(), null, 'Hasura''s admin has no account');
reset role;

-- An attacker calls functions that the application exposes to GraphQL, and can set what it likes.
create function public.set_it(name text, value text) returns text language sql as $$ select set_config(name, value, true) $$;
create function public.definer_user_id() returns uuid language sql security definer as $$ select latchkey.user_id() $$;
create temp table attack on commit drop as
  select s.name, replace(s.value, 'ALICE', alice::text) as value
  from fixture, (values
    ('request.jwt.claims', '{"sub": "ALICE", "sid": "ALICE", "role": "user", "iss": "https://id.example.org", "token_use": "access", "exp": 9999999999}'),
    ('request.jwt.claim.sub', 'ALICE'),
    ('hasura.user', '{"x-hasura-role": "user", "x-hasura-user-id": "ALICE", "x-hasura-session-id": "ALICE"}'),
    ('latchkey.user_id', 'ALICE'),
    ('latchkey.identity', '{"sub": "ALICE", "sid": "ALICE", "user_type": "user"}'),
    ('latchkey.identity', repeat('0', 64) || '{"sub": "ALICE", "sid": "ALICE", "user_type": "user"}'),
    ('latchkey.identity', '')
  ) s (name, value);
grant select on attack to public;
select test.become('latchkey_guest', session_id => guest_id) from fixture;
set local session authorization latchkey_graphql;
set local role latchkey_guest;
select is((select latchkey.user_id() from (select public.set_it(a.name, a.value)) s), null, format('%s := %s does not make a guest a user', a.name, left(a.value, 20)))
from attack a;
select is(public.definer_user_id(), null, 'nor in a definer function');
reset session authorization;
select test.become('latchkey_user', alice, session_id) from fixture;
select is(public.definer_user_id(), alice, 'in a definer function of the application''s the caller stays the caller') from fixture;
select * from finish();
rollback;
