begin;
select plan(2);
select test.clean_slate(), test.set_setting('OTP_SEND_TIMEOUT_SECONDS', '7');
create temp table otp on commit drop as select o as otp from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now()) o;
select is((select private.otp_answer(otp) from otp), (select row(null, (otp).id, (otp).expires_at, 7)::api.otp_answer from otp),
  'the answer has the id and the end of the code, and how long to wait');
update otp set otp = o from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', false, now()) o;
select is((select (private.otp_answer(otp)).wait_seconds from otp), null, 'nobody waits where nothing is awaited');
select * from finish();
rollback;
