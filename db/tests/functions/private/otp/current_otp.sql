begin;
select plan(15);
select test.clean_slate();
create function pg_temp.delivery(phone text default '+12025550101', purpose text default 'LOGIN') returns text language sql
as $$ select (test.current_otp('PHONE', phone, purpose)).delivery $$;
create temp table first on commit drop as select (test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp())).id;

select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, null,
  'a one-time password that was not delivered is not current');
update platform.otp_transaction set current_since = clock_timestamp();
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first),
  'a delivered one-time password is current');
create temp table second on commit drop as select (test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp())).id;
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first),
  'a newer one-time password that was not delivered does not replace the current one');
update platform.otp_transaction set current_since = clock_timestamp() where current_since is null;
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from second),
  'a newer one-time password replaces the current one when it is delivered');
update platform.otp_transaction set current_since = clock_timestamp() where id = (select id from first);
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first),
  'the latest delivery decides, not the latest creation');
select is((test.current_otp('PHONE', '+12025550101', 'SIGNUP')).id, null,
  'a one-time password is not current for another purpose');
select is((test.current_otp('PHONE', '+12025550102', 'LOGIN')).id, null,
  'a one-time password is not current for another identifier');
select is((test.current_otp('EMAIL', '+12025550101', 'LOGIN')).id, null,
  'a one-time password is not current for another identifier type');
update platform.otp_transaction set verified_at = now(), expires_at = now(), attempts = 5;
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first),
  'a one-time password stays current when it is used, expired or blocked');

-- Test numbers
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
create temp table test_otp on commit drop as select (test.store_test_otp('+12025550101', 'LOGIN')).id;
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from test_otp), 'that of a test number is current');
select test.set_setting('OTP_TEST_NUMBERS', '{}');
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first),
  'that of a number which is no test number any more is not');

-- A fixed code opens nothing that a code confirmed which was sent
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
create temp table account on commit drop as select test.make_account('+12025550101') as id;
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from first),
  'that of a test number whose account was confirmed otherwise is not: the code sent before still counts');
update "user".account set verified_by_test_code = true;
select is((test.current_otp('PHONE', '+12025550101', 'LOGIN')).id, (select id from test_otp), 'that of an account which a fixed code confirmed is');
update "user".account set phone = '+12025550102';
create temp table change on commit drop as
  select (test.store_test_otp('+12025550101', 'PHONE_CHANGE', id)).id, id as account_id from account;
select is((test.current_otp('PHONE', '+12025550101', 'PHONE_CHANGE', account_id)).id, id, 'such an account may take another test number') from change;
update "user".account set verified_by_test_code = false;
select is((test.current_otp('PHONE', '+12025550101', 'PHONE_CHANGE', account_id)).id, null, 'and another account may not') from change;

select * from finish();
rollback;
