begin;
select plan(2);
select test.clean_slate();
select test.set_setting('OTP_TTL_SECONDS', '90');
select is(private.setting_seconds('OTP_TTL_SECONDS'), interval '90 seconds', 'a setting in seconds is a length of time');
select is(private.setting_seconds('REFRESH_TOKEN_TTL_SECONDS'), interval '720 hours', 'its default too');

select * from finish();
rollback;
