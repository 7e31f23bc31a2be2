begin;
select plan(4);
select test.clean_slate();
select is(private.test_code_fault(), null, 'without test numbers no code is wrong');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select is(private.test_code_fault(), null, 'a code of OTP_LENGTH digits is right');
alter table settings.configuration disable trigger check_together;
select test.set_setting('OTP_LENGTH', '8');
select is(private.test_code_fault(), 'the code of +12025550101 in OTP_TEST_NUMBERS must have 8 digits (OTP_LENGTH)', 'another length is wrong, and the code is not shown');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550102": {"code": "424242", "until": "9999-12-31T00:00:00Z"},
  "+12025550101": {"code": "4242", "until": "9999-12-31T00:00:00Z"}}');
select is(private.test_code_fault(), 'the code of +12025550101 in OTP_TEST_NUMBERS must have 8 digits (OTP_LENGTH)', 'of several the first phone is named');

select * from finish();
rollback;
