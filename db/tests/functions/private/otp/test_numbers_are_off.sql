begin;
select plan(4);
select test.clean_slate();
update private.installation set production = false;
select is(private.test_numbers_are_off(), false, 'test numbers work outside production');
update private.installation set production = true;
select is(private.test_numbers_are_off(), true, 'they are off in production');
select test.set_setting('OTP_TEST_NUMBERS_IN_PRODUCTION', '"on"');
select is(private.test_numbers_are_off(), false, 'OTP_TEST_NUMBERS_IN_PRODUCTION turns them on');
update private.installation set production = null;
select is(private.test_numbers_are_off(), false, 'and where production is not known');

select * from finish();
rollback;
