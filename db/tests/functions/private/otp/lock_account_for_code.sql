begin;
select plan(9);
select test.clean_slate();
select test.make_account('+12025550101');
select is((private.lock_account_for_code('+12025550101', null)).phone, '+12025550101', 'the account of the phone is returned');
select is((select xmax::text = pg_current_xact_id()::text from "user".account), true, 'and locked');
select is((private.lock_account_for_code('+12025550102', null)).id, null, 'an unknown phone has none');
select test.recycle('+12025550101');
select is((private.lock_account_for_code('+12025550101', null)).id, null, 'a recycled phone has none');

-- Fixed codes
select test.make_account('+12025550103');
create temp table otp on commit drop as select * from test.store_test_otp('+12025550103', 'LOGIN');
select is((private.lock_account_for_code('+12025550103', id)).id, null, 'a fixed code opens no account that a code confirmed which was sent') from otp;
update "user".account set verified_by_test_code = true where phone = '+12025550103';
select is((private.lock_account_for_code('+12025550103', id)).phone, '+12025550103', 'it opens one that a fixed code confirmed') from otp;
select is((select verified_by_test_code from "user".account where phone = '+12025550103'), true, 'which stays one');
select is((private.lock_account_for_code('+12025550103', gen_random_uuid())).verified_by_test_code, false, 'a code that was sent opens it too');
select is((private.lock_account_for_code('+12025550103', id)).id, null, 'and from then on no fixed one does') from otp;

select * from finish();
rollback;
