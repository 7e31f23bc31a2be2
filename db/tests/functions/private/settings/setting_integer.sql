begin;
select plan(4);
select test.clean_slate();
select test.set_setting('OTP_LENGTH', '8');
select is(private.setting_integer('OTP_LENGTH'), 8, 'setting_integer returns the stored value');
select is(private.setting_integer('OTP_MAX_ATTEMPTS'), 5, 'setting_integer returns the default value');
select is(private.setting_integer('OTP_FAILURES_IN_A_ROW'), 100, 'also of a setting that may be off');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"');
select is(private.setting_integer('OTP_FAILURES_IN_A_ROW'), null, 'null while that is off');

select * from finish();
rollback;
