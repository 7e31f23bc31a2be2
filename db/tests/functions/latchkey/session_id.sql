begin;
select plan(7);
select test.clean_slate();
update private.installation set token_issuer = 'https://id.example.org';
create temp table fixture on commit drop as
  select alice, (test.open_session(alice)).session_id as session_id, (test.open_session(null)).session_id as guest_id
  from (select test.make_account('+12025550101') as alice) a;
grant select on fixture to public;
set local role latchkey_application;
select is(latchkey.session_id(), null, 'where nobody is signed in there is none');
select latchkey.begin_session(jsonb_build_object('sub', guest_id, 'sid', guest_id, 'role', 'guest')) from fixture;
select is(latchkey.session_id(), guest_id, 'a session that the application began is the caller''s') from fixture;
reset role;
select test.become('latchkey_user', alice, session_id) from fixture;
select is(latchkey.session_id(), session_id, 'a user has one') from fixture;
select test.become('latchkey_guest', session_id => guest_id) from fixture;
select is(latchkey.session_id(), guest_id, 'a guest has one') from fixture;
select test.become('latchkey_admin');
select is(latchkey.session_id(), null, 'the admin has none');
reset role;
select set_config('latchkey.identity', '', true);
set local role latchkey_application;
select set_config('hasura.user', jsonb_build_object('x-hasura-role', 'guest', 'x-hasura-session-id', guest_id)::text, true) from fixture;
select is(latchkey.session_id(), guest_id, 'Hasura names it') from fixture;
select set_config('request.jwt.claims', jsonb_build_object('sub', alice, 'sid', session_id, 'role', 'user',
  'token_use', 'access', 'iss', 'https://id.example.org', 'exp', 9999999999)::text, true) from fixture;
select is(latchkey.session_id(), session_id, 'PostgREST''s token names it') from fixture;
select * from finish();
rollback;
