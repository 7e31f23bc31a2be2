begin;
select plan(7);
select test.clean_slate();
update private.installation set production = false;
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
create function pg_temp.counts(account_id uuid default null) returns boolean language sql
as $$ select private.fixed_code_counts(o) from platform.otp_transaction o where o.account_id is not distinct from counts.account_id $$;
select test.store_test_otp('+12025550101', 'LOGIN');
select is(pg_temp.counts(), true, 'it counts where the number has no account');
create temp table account on commit drop as select test.make_account('+12025550101') as id;
select is(pg_temp.counts(), false, 'and not where it has one that another code, an import or an admin confirmed');
update "user".account set disabled_at = now(), disabled_reason = 'test';
select is(pg_temp.counts(), false, 'be it disabled');
update "user".account set disabled_at = null, disabled_reason = null, verified_by_test_code = true;
select is(pg_temp.counts(), true, 'it counts for one that fixed codes alone confirmed');
select test.store_test_otp('+12025550101', 'PHONE_CHANGE', id) from account;
update "user".account set phone = '+12025550102', verified_by_test_code = false;
select is(pg_temp.counts(id), false, 'an account that another code confirmed takes no test number') from account;
select is(pg_temp.counts(), true, 'and takes nothing from others');
select test.set_setting('OTP_TEST_NUMBERS', '{}');
select is(pg_temp.counts(), false, 'it does not count once the number is no test number');

select * from finish();
rollback;
