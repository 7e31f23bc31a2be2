begin;
select plan(5);
select test.clean_slate();
select is(private.login_by_otp_error(), null, 'by default a code signs in');
select test.set_setting('LOGIN_BY_OTP', '"off"');
select is((private.login_by_otp_error())::text, '(INVALID_REQUEST,"{""reason"": ""not_enabled""}")', 'while LOGIN_BY_OTP is off it does not');
create function pg_temp.send(purpose text) returns text language sql
as $$ select (s.error).code || ' ' || ((s.error).details ->> 'reason') from api.send_otp('+12025550101', 'PHONE', purpose, '192.0.2.1', test.code_key(), 'US') s $$;
select is(pg_temp.send('LOGIN'), 'INVALID_REQUEST not_enabled', 'and no LOGIN code is sent');
select is((select count(*)::integer from platform.rate_limit), 0, 'nor counted');
select is(pg_temp.send('SIGNUP'), null, 'other codes are');

select * from finish();
rollback;
