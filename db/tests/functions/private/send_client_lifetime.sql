begin;
select plan(3);
select is(private.send_client_lifetime(), interval '30 days', 'as long as one-time passwords are kept');
select test.set_setting('OTP_RETENTION_DAYS', '2');
select is(private.send_client_lifetime(), interval '2 days', 'the setting decides');
select test.set_setting('OTP_RETENTION_DAYS', '365');
select is(private.send_client_lifetime(), interval '30 days', 'and the time for which an account knows its clients is the most');

select * from finish();
rollback;
