begin;
select plan(5);
select test.clean_slate();
select test.send_code('+12025550109', 'LOGIN');
update platform.otp_transaction set created_at = current_since - interval '4.25 seconds';
create temp table answer on commit drop as
  select a.* from private.withhold_send(test.send_request('+12025550101', counted_at => clock_timestamp() + interval '1 hour')) a;
create temp table otp on commit drop as select o.* from platform.otp_transaction o where o.identifier = '+12025550101';
select is((select answer::text from answer), (select private.otp_answer(o)::text from platform.otp_transaction o where o.identifier = '+12025550101'),
  'it is answered as a send is, and waited for as long');
select is((select row(created_at = counted_at, answer_at - created_at)::text from otp), '(t,00:00:04.25)',
  'its answer is due when one of the latest sends had one: measured from the request, as that time is, and not from the end of this call');
select is((select (api.settle_otp_send(otp_id, true)).error.code from answer), 'OTP_SEND_FAILED', 'until then there is none');
select is((select row(delivery, code_hash, current_since)::text from otp), '(withheld,,)', 'there is no code');
select is((select count(*)::integer from graphile_worker._private_jobs j join otp o on j.payload ->> 'otp_id' = o.id::text), 0, 'and nothing is queued');
select * from finish();
rollback;
