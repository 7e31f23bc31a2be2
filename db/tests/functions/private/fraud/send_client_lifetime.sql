begin;
select plan(3);
select is(private.send_client_lifetime(), interval '29 days 23:00:00', 'the address is kept an hour less than one-time passwords');
select test.set_setting('OTP_RETENTION_DAYS', '2');
select is(private.send_client_lifetime(), interval '1 day 23:00:00', 'the setting decides');
select test.set_setting('OTP_RETENTION_DAYS', '365');
select is(private.send_client_lifetime(), interval '29 days 23:00:00', 'it is not kept longer than an account''s known clients');

select * from finish();
rollback;
