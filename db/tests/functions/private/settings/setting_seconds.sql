begin;
select plan(2);
select test.clean_slate();
select test.set_setting('OTP_TTL_SECONDS', '90');
select is(private.setting_seconds('OTP_TTL_SECONDS'), interval '90 seconds',
  'setting_seconds returns the stored value as an interval');
select is(private.setting_seconds('REFRESH_TOKEN_TTL_SECONDS'), interval '720 hours',
  'setting_seconds returns the default value as an interval');

select * from finish();
rollback;
