begin;
select plan(2);
select test.clean_slate();
select test.set_setting('OTP_LENGTH', '8');
select is(private.setting_integer('OTP_LENGTH'), 8, 'setting_integer returns the stored value');
select is(private.setting_integer('OTP_MAX_ATTEMPTS'), 5, 'setting_integer returns the default value');

select * from finish();
rollback;
