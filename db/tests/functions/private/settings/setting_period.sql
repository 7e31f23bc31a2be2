begin;
select plan(6);
select test.clean_slate();
select test.set_setting('OTP_RETENTION_DAYS', '90'), test.set_setting('OTP_TTL_SECONDS', '90');
select is(private.setting_period('OTP_RETENTION_DAYS'), interval '90 days', 'a setting in days is so many days');
select is(private.setting_period('SESSION_RETENTION_DAYS'), interval '7 days', 'so is its default');
select is(private.setting_period('OTP_TTL_SECONDS'), interval '90 seconds', 'a setting in seconds is so many seconds');
select is(private.setting_period('REFRESH_TOKEN_TTL_SECONDS'), interval '720 hours', 'so is its default');
select is(private.setting_period('SESSION_MAX_SECONDS'), null, 'a setting that is off by default is null');
select test.set_setting('SESSION_MAX_SECONDS', '90'), test.set_setting('SESSION_MAX_SECONDS', '"off"');
select is(private.setting_period('SESSION_MAX_SECONDS'), null, 'a setting that was turned off is null');

select * from finish();
rollback;
