begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;
select test.send_code('+12025550101', 'LOGIN');
select test.become('latchkey_user', alice) from actor;
select throws_ok('select "user".erase_account(alice) from actor', '42501', null, 'a user may not erase accounts');
reset role;
select test.become('latchkey_admin');
select is((select phone from actor, "user".erase_account(alice)), '+12025550101', 'the admin erases an account and gets it as it was');
select is((select id from actor, "user".erase_account(alice)), null, 'an account that does not exist is null');
reset role;
select is((select count(*) from "user".account) || ' ' || (select count(*) from platform.otp_transaction), '0 0', 'nothing of it is left');

-- Thousands of sessions
select test.set_setting('SESSIONS_PER_USER', '"off"');
select test.make_account('+12025550102');
select test.insert_sessions(a.id, 5001) from "user".account a;
select test.become('latchkey_admin');
select is((select deletion_due_at <= clock_timestamp() from "user".erase_account((select id from "user".account))), true,
  'an account with thousands of sessions is due for the clean-up');
reset role;
select is((select count(*)::integer from "user".session s where private.session_error(s) is null), 0, 'no session of it is live');
select is(array[delivery.erase_due_account(0), delivery.erase_due_account(0)], array[true, false], 'which finds it');
select is((select count(*)::integer from "user".account), 0, 'and erases it');
select * from finish();
rollback;
