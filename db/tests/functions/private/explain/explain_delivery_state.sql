begin;
select plan(13);
select test.clean_slate();
select test.queue_otp('+12025550101', 'PHONE', 'PASSWORD_RESET', false, now() - interval '20 seconds');
create function pg_temp.events(state text) returns setof platform.delivery_event language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
begin
  update platform.otp_transaction o set delivery = state returning o.* into v_otp;
  return query select e.* from private.explain_delivery_state(v_otp) e;
end
$$;
select results_eq($$select what from pg_temp.events('queued')$$, array['The message waits for a worker, or for its next attempt.'],
  'a message in the queue is shown');
update platform.otp_transaction set current_since = created_at + interval '1 second';
select results_eq($$select e.at, e.what, e.details from pg_temp.events('dropped') e$$,
  $$select o.current_since, 'Nothing was sent: the phone has no account, and a password reset is sent only to accounts.',
    'as far as it is known: the reason is not stored' from platform.otp_transaction o$$,
  'a dropped reset is shown at the time of the drop, with its reason');
select results_eq($$select e.at, e.details from pg_temp.events('cancelled') e$$,
  $$select o.created_at + interval '10 seconds', 'waits for 10 seconds (OTP_SEND_TIMEOUT_SECONDS)' from platform.otp_transaction o$$,
  'a cancelled code is shown at the end of the time that a request waits');
select is((select what from pg_temp.events('cancelled')),
  'The request was answered OTP_SEND_FAILED, because no vendor had taken the message in time. Nothing was sent.',
  'a code that was cancelled before any vendor was called was certainly not sent');
insert into platform.delivery_attempt (id, otp_id, provider, channel, started_at, duration_ms)
select private.new_id(), o.id, 'twilio', 'sms', o.created_at + start, 2000
from platform.otp_transaction o, unnest(array[interval '0 seconds', interval '1 second']) start;
select matches((select what from pg_temp.events('cancelled')), 'OTP_SEND_FAILED.*its code does not work',
  'a cancelled code is shown with the answer that the user saw');
select matches((select what from pg_temp.events('stored')), 'EMAIL_DELIVERY is off', 'a code that is only stored is shown with the setting');
select matches((select what from pg_temp.events('test')), 'OTP_TEST_NUMBERS', 'a code of a test number is shown with the setting');
select is_empty(format('select from pg_temp.events(%L)', state), 'attempts, and no event of its own, tell of ' || state)
from (values ('sent'), ('uncertain')) s (state);
update platform.otp_transaction set awaited = true;
select results_eq($$select e.at, e.what from pg_temp.events('refused') e$$,
  $$select o.created_at + interval '3.001 seconds', 'The request was answered OTP_SEND_FAILED.' from platform.otp_transaction o$$,
  'what the user saw when all attempts had failed is shown at the end of the last one');
select is((select what from pg_temp.events('uncertain')),
  'The request was answered OTP_SEND_FAILED. If the message arrives, its code does not work.',
  'a message that was perhaps sent has a worthless code');

select matches((select what from pg_temp.events('withheld')), 'no invitation \(REGISTRATION\)', 'a code that was withheld is shown with the setting');

update platform.otp_transaction set voided_at = now();
select is_empty($$select pg_temp.events('cancelled')$$, 'one that a restore cancelled is no request that a vendor left waiting');

select * from finish();
rollback;
