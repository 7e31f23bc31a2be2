begin;
select plan(3);
select test.clean_slate();
create temp table otp on commit drop as select * from test.store_test_otp('+12025550101', 'LOGIN');
select is(private.is_fixed_code(id), true, 'that of a test number is fixed') from otp;
select is(private.is_fixed_code((test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp())).id), false, 'one that is sent is not');
select is(private.is_fixed_code(null), false, 'none is not');

select * from finish();
rollback;
