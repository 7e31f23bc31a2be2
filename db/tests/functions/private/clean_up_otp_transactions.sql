begin;
select plan(1);
select test.clean_slate();
select private.queue_otp(phone, 'PHONE', 'LOGIN', true, clock_timestamp() - age)
from (values ('+12025550101', interval '30 days 1 second'), ('+12025550102', interval '29 days 23:59:59')) o (phone, age);
select private.clean_up_otp_transactions(0, 1000000);
select is((select array_agg(identifier) from platform.otp_transaction), array['+12025550102'],
  'a one-time password is deleted after 30 days');

select * from finish();
rollback;
