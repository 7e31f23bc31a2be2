begin;
select plan(2);
do $$ begin perform test.clean_slate(); perform test.set_setting('OTP_TTL_SECONDS', '90'); end $$;
select is(private.setting_seconds('OTP_TTL_SECONDS'), interval '90 seconds', 'a setting in seconds is a length of time');
select is(private.setting_seconds('REFRESH_TOKEN_TTL_SECONDS'), interval '720 hours', 'its default too');

select * from finish();
rollback;
