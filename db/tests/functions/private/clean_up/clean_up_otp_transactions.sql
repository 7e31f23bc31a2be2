begin;
select plan(4);
select test.clean_slate();
select private.queue_otp(phone, 'PHONE', 'LOGIN', true, clock_timestamp() - age)
from (values ('+12025550101', interval '30 days 1 second'), ('+12025550102', interval '29 days 23:59:59')) o (phone, age);
select private.start_attempt(o, 'console') from platform.otp_transaction o;
select private.clean_up_otp_transactions(0, 1000000);
select is((select array_agg(identifier) from platform.otp_transaction), array['+12025550102'],
  'a one-time password is deleted after 30 days');
select is((select count(*)::integer from platform.delivery_attempt), 1, 'its delivery attempts are deleted with it');
select test.set_setting('OTP_RETENTION_DAYS', '31');
select private.queue_otp('+12025550103', 'PHONE', 'LOGIN', true, clock_timestamp() - interval '30 days 1 second');
select private.clean_up_otp_transactions(0, 1000000);
select is((select count(*)::integer from platform.otp_transaction), 2, 'OTP_RETENTION_DAYS is the age up to which they stay');
select test.set_setting('OTP_RETENTION_DAYS', '29'), private.clean_up_otp_transactions(0, 1000000);
select is((select count(*)::integer from platform.otp_transaction), 0, 'a shorter OTP_RETENTION_DAYS deletes them sooner');

select * from finish();
rollback;
