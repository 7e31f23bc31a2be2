begin;
select plan(4);
do $$ begin perform test.clean_slate(); end $$;
select is(private.setting('OTP_LENGTH'), '6', 'where none is stored the default is in force');
do $$ begin perform test.set_setting('OTP_LENGTH', '8'); end $$;
select is(private.setting('OTP_LENGTH'), '8', 'the stored value is, once there is one');
delete from settings.configuration;
select is(private.setting('OTP_PROVIDER'), null, 'what has neither is null');
select is(private.setting('OTP_LENGHT'), null, 'so is what does not exist');

select * from finish();
rollback;
