begin;
select plan(9);
select test.clean_slate();
select test.set_setting('SESSIONS_PER_USER', '"off"');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
grant select on actor to public;
select test.open_session(bob) from actor;
select is("user".session_epochs(), null, 'there is no session that ended without being marked');
select test.insert_sessions(alice, 1200) from actor;
select count(*) from actor, private.revoke_sessions_of_user(alice);
select test.open_session(alice) from actor;
select is("user".session_epochs(), jsonb_build_object(alice, 1), 'after a thousand and more ended at once there is an account with some') from actor;

-- What GraphQL's roles see meanwhile (policy "a session that has ended is not shown as live")
create function pg_temp.shown() returns text language sql
as $$ select format('%s live, %s revoked', count(*) filter (where revoked_at is null), count(revoked_at)) from "user".session $$;
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.shown(), '1 live, 1000 revoked', 'the user sees none of those as live');
reset role;
select test.become('latchkey_user', bob) from actor;
select is(pg_temp.shown(), '1 live, 0 revoked', 'another user sees its own');
reset role;
select test.open_session(null);
select test.become('latchkey_admin');
select is(pg_temp.shown(), '3 live, 1000 revoked', 'the admin sees none of those as live, guests'' sessions as always');
reset role;
select private.mark_ended_sessions(), private.mark_ended_sessions();
select is("user".session_epochs(), null, 'the clean-up marks them');
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.shown(), '1 live, 1200 revoked', 'and then they are shown');
reset role;
select test.become('latchkey_guest');
select throws_ok('select "user".session_epochs()', '42501', null, 'a guest may not ask');
reset role;
select volatility_is('user', 'session_epochs', 'stable', 'it is stable, so that a policy asks once for each statement');
select * from finish();
rollback;
