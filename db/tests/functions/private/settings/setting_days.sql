begin;
select plan(2);
select test.clean_slate();
select test.set_setting('OTP_RETENTION_DAYS', '90');
select is(private.setting_days('OTP_RETENTION_DAYS'), interval '90 days', 'setting_days returns the stored value as an interval');
select is(private.setting_days('SESSION_RETENTION_DAYS'), interval '7 days', 'setting_days returns the default value as an interval');

select * from finish();
rollback;
