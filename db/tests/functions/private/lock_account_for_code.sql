begin;
select plan(4);
select test.clean_slate();
select test.make_account('+12025550101');
select is((private.lock_account_for_code('+12025550101')).phone, '+12025550101', 'the account of the phone is returned');
select is((select xmax::text = pg_current_xact_id()::text from "user".account), true, 'and locked');
select is((private.lock_account_for_code('+12025550102')).id, null, 'an unknown phone has none');
select test.recycle('+12025550101');
select is((private.lock_account_for_code('+12025550101')).id, null, 'a recycled phone has none');

select * from finish();
rollback;
