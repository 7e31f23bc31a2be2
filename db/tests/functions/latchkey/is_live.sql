begin;
select plan(15);
select test.clean_slate();
create temp table fixture on commit drop as
  select alice, bob, (test.open_session(alice)).session_id as session_id, (test.open_session(null)).session_id as guest_id,
    (test.open_session(bob)).session_id as bobs_id
  from (select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob) a;
grant select on fixture to public;
set local role latchkey_application;
select is(latchkey.is_live(), false, 'where nobody is signed in nothing is live');
select latchkey.begin_session(jsonb_build_object('sub', alice, 'sid', session_id, 'role', 'user')) from fixture;
select is(latchkey.is_live(), true, 'a session that the application began is live');
select latchkey.begin_session(jsonb_build_object('sub', alice, 'sid', bobs_id, 'role', 'user')) from fixture;
select is(latchkey.is_live(), false, 'another user''s session is not the caller''s');
select latchkey.begin_session(jsonb_build_object('sub', bobs_id, 'sid', bobs_id, 'role', 'guest')) from fixture;
select is(latchkey.is_live(), false, 'a user''s session is not a guest''s');
select latchkey.begin_session(jsonb_build_object('sub', alice, 'sid', gen_random_uuid(), 'role', 'user')) from fixture;
select is(latchkey.is_live(), false, 'a session that does not exist is not live');
reset role;
select test.become('latchkey_admin');
select is(latchkey.is_live(), false, 'the admin has no session');
reset role;
select test.become('latchkey_guest', session_id => guest_id) from fixture;
select is(latchkey.is_live(), true, 'a guest''s session is live');
reset role;
update "user".session s set revoked_at = clock_timestamp() from fixture f where s.id = f.guest_id;
set local role latchkey_guest;
select is(latchkey.is_live(), false, 'a revoked one is not');
reset role;

select test.become('latchkey_user', alice, session_id) from fixture;
select is(latchkey.is_live(), true, 'a user''s session is live');
reset role;
select private.revoke_sessions_of_user(alice) from fixture;
set local role latchkey_user;
select is(latchkey.is_live(), false, 'one that ended with all of its user''s is not');
reset role;
select test.become('latchkey_user', bob, bobs_id) from fixture;
select is(latchkey.is_live(), true, 'another user''s is');
reset role;
select test.set_setting('SECOND_FACTOR', '"required"');
select test.become('latchkey_user', bob, bobs_id) from fixture;
select is(latchkey.is_live(), false, 'where a second factor is required, that of a user without one is not');
reset role;
select test.make_factor(bob) from fixture;
set local role latchkey_user;
select is(latchkey.is_live(), true, 'that of a user with one is');
reset role;
update "user".session s set refresh_token_expires_at = clock_timestamp() from fixture f where s.id = f.bobs_id;
set local role latchkey_user;
select is(latchkey.is_live(), false, 'an expired one is not');
reset role;

-- The caller's own session only, once per statement.
select volatility_is('latchkey', 'is_live', '{}', 'stable', 'is_live is stable: the snapshot of the statement counts');
select * from finish();
rollback;
