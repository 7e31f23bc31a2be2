begin;
select plan(2);
do $$ begin perform test.clean_slate(); perform test.set_setting('OTP_LENGTH', '8'); end $$;
select is(private.setting_integer('OTP_LENGTH'), 8, 'a setting that counts is a number');
select is(private.setting_integer('OTP_MAX_ATTEMPTS'), 5, 'its default too');

select * from finish();
rollback;
