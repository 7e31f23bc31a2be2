begin;
select plan(2);
select test.clean_slate();
select test.set_setting('OTP_LENGTH', '8');
select is(private.setting_integer('OTP_LENGTH'), 8, 'a setting that counts is a number');
select is(private.setting_integer('OTP_MAX_ATTEMPTS'), 5, 'its default too');

select * from finish();
rollback;
