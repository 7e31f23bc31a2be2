begin;
select plan(46);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.outcome(awaited boolean, outcome text)
returns table (again boolean, jobs integer, delivery text, is_current boolean, counted integer)
language plpgsql
as $$
declare
  v_id uuid;
begin
  delete from platform.rate_limit;
  v_id := test.send_reset('+12025550101', awaited);
  delete from graphile_worker._private_jobs;
  again := test.record_delivery(v_id, outcome) is not null;
  select count(*) into jobs from graphile_worker._private_jobs;
  select o.delivery, o.current_since is not null into delivery, is_current from platform.otp_transaction o where o.id = v_id;
  counted := test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101');
  return next;
end
$$;
create temp table result on commit drop as
  select a.*, o.*, r.* from (values (true), (false)) a (awaited), (values ('sent'), ('refused'), ('declined'), ('unreachable'), ('uncertain')) o (outcome),
  pg_temp.outcome(awaited, outcome) r;

-- Awaited by a request: what is final is recorded, and what may be transient is tried again by the same job
select is(delivery || ' ' || again, expected, 'an awaited delivery whose first attempt was ' || outcome || ' is ' || expected)
from result join (values ('sent', 'sent false'), ('refused', 'refused false'), ('declined', 'declined false'),
  ('unreachable', 'queued true'), ('uncertain', 'queued true')) e (outcome, expected) using (outcome)
where awaited order by outcome;
select is((select array_agg(outcome) from result where awaited and is_current), array['sent'],
  'an awaited code becomes current only when it was sent');
select is((select array_agg(outcome order by outcome) from result where awaited and counted = 0), array['declined', 'refused'],
  'refused and declined deliveries give the send back to the phone, since no SMS was sent');
select is((select sum(jobs)::integer from result where awaited), 0, 'an awaited delivery is never queued again');

-- Not awaited: resets
select is(delivery || ' ' || jobs, expected, 'a reset''s delivery whose first attempt was ' || outcome || ' is ' || expected || ' job')
from result join (values ('sent', 'sent 0'), ('refused', 'refused 0'), ('declined', 'queued 1'),
  ('unreachable', 'queued 1'), ('uncertain', 'queued 1')) e (outcome, expected) using (outcome)
where not awaited order by outcome;
select is((select bool_and(is_current) from result where not awaited), true,
  'a reset''s code becomes current whatever the outcome');
select is((select array_agg(counted) from result where not awaited), array[1, 1, 1, 1, 1], 'a reset''s send is never given back');
select is((select bool_or(again) from result where not awaited), false, 'no job waits for the next attempt of a reset');

-- What is recorded about an attempt
select test.clean_slate();
create temp table reported on commit drop as select (test.issue_code(o.id)).attempt_id
  from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp()) o;
select delivery.record_attempt(attempt_id, 'sent', 'SM1', null, 0.0075, 'USD', 123, null) from reported;
select is((select row(a.outcome, a.vendor_message_id, a.vendor_error, a.price, a.currency, a.duration_ms)::text
  from platform.delivery_attempt a join reported r on r.attempt_id = a.id), '(sent,SM1,,0.0075,USD,123)',
  'an attempt has the vendor''s message id, error, price and time');
create temp table slow on commit drop as select (test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp())).id;
select test.issue_code(id) from slow;
select is(test.record_delivery(id, 'declined', 3), 3000, 'the Retry-After of a vendor is shown in milliseconds') from slow;

-- A second provider
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "fallback": ["http"],
  "http": {"url": "https://gateway.example"}}');
create function pg_temp.after_first_attempt(outcome text) returns integer language plpgsql
as $$
declare
  v_otp platform.otp_transaction := test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp());
begin
  perform test.issue_code(v_otp.id);
  return test.record_delivery(v_otp.id, outcome);
end
$$;
select is(pg_temp.after_first_attempt(outcome), 0, 'after an attempt that was ' || outcome || ' a fallback is tried at once')
from unnest(array['declined', 'unreachable', 'uncertain']) outcome;
delete from graphile_worker._private_jobs;
create temp table fallback on commit drop as
  select (test.queue_otp('+12025550101', 'PHONE', 'PASSWORD_RESET', false, clock_timestamp())).id from test.make_account('+12025550101', verified_at => now() - interval '1 day');
select test.issue_code(id) from fallback;
delete from graphile_worker._private_jobs;
select is(test.record_delivery(id, 'unreachable'), 0, 'a reset''s fallback is tried at once too') from fallback;
select is((select count(*)::integer from test.queued_payloads()), 0, 'and not by another job');
delete from "user".account;
select is(pg_temp.after_first_attempt('refused'), null, 'after a refusal no fallback is tried');
create temp table twice on commit drop as
  select api.send_otp('+12025550109', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US') as answer;
select test.issue_code((answer).otp_id), test.record_delivery((answer).otp_id, 'uncertain') from twice;
select test.issue_code((answer).otp_id), test.record_delivery((answer).otp_id, 'refused') from twice;
select is((select delivery from platform.otp_transaction o join twice t on (t.answer).otp_id = o.id), 'uncertain',
  'a delivery of which an earlier attempt may have arrived is uncertain, although the last one was refused');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550109'), 1, 'such a delivery is not given back');

-- The latest delivered code is current
select test.clean_slate();
create temp table code on commit drop as
  select 1 as n, test.send_code('+12025550101', 'LOGIN') as code, (test.otp('+12025550101', 'LOGIN')).id;
create temp table resend on commit drop as select (test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp())).id;
create function pg_temp.current_is(otp_id uuid) returns boolean language sql
as $$ select (test.current_otp('PHONE', '+12025550101', 'LOGIN')).id = otp_id $$;
select ok((select pg_temp.current_is(id) from code), 'a queued resend leaves the previous code current');
select test.issue_code(id) from resend;
select ok((select pg_temp.current_is(id) from code), 'a resend that is being sent leaves the previous code current');
select test.record_delivery(id, 'uncertain') from resend;
select ok((select pg_temp.current_is(id) from code), 'a failed resend leaves the previous code current');
insert into resend select (test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp())).id;
select test.issue_code(id), test.record_delivery(id, 'sent') from resend;
select ok((select not pg_temp.current_is(id) from code), 'a resend that was sent replaces the previous code');

-- A recorded outcome
select test.clean_slate();
create temp table done on commit drop as
  select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US') as answer;
select test.issue_code((answer).otp_id), test.record_delivery((answer).otp_id, 'sent') from done;
create temp table stored on commit drop as select * from platform.otp_transaction;
select is((select test.record_delivery((answer).otp_id, 'uncertain') from done), null,
  'a delivery that was sent is not retried');
select results_eq('select * from platform.otp_transaction', 'select * from stored',
  'a delivery that was sent keeps its row unchanged');
select test.clean_slate();
create temp table cancelled on commit drop as
  select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US') as answer;
select test.issue_code((answer).otp_id), api.settle_otp_send((answer).otp_id, true),
  test.record_delivery((answer).otp_id, 'sent') from cancelled;
select is((select delivery || ' ' || (current_since is null) from platform.otp_transaction), 'cancelled true',
  'a cancelled one-time password stays cancelled and does not become current');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'a cancelled delivery that was sent stays counted');
select test.record_delivery((answer).otp_id, 'refused') from cancelled;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'another outcome of an attempt that is recorded decides nothing');
select test.clean_slate();
truncate cancelled;
insert into cancelled select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
select test.issue_code((answer).otp_id), api.settle_otp_send((answer).otp_id, true), test.record_delivery((answer).otp_id, 'refused') from cancelled;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'a late refusal gives the send back');
select test.record_delivery((answer).otp_id, 'refused') from cancelled;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'a repeated refusal gives nothing more back');
select is((select delivery from platform.otp_transaction), 'cancelled', 'a late refusal leaves the one-time password cancelled');

-- Retries of a reset
select test.clean_slate();
select test.make_account('+12025550101');
create temp table reset on commit drop as select test.send_reset('+12025550101', false) as id;
select test.record_delivery(id, 'uncertain') from reset;
create temp table since on commit drop as select current_since from platform.otp_transaction;
select test.issue_code(id), test.record_delivery(id, 'sent') from reset;
select is((select delivery from platform.otp_transaction), 'sent', 'a successful retry is recorded as sent');
select is((select current_since from platform.otp_transaction), (select current_since from since),
  'a successful retry does not change since when the code is current');
create temp table expiring on commit drop as select test.send_reset('+12025550101', false) as id;
select test.issue_code(id) from expiring;
select test.age_otps('239 seconds');
delete from graphile_worker._private_jobs;
create temp table recorded on commit drop as select clock_timestamp() as at;
select test.record_delivery(id, 'uncertain') from expiring;
select is((select count(*)::integer from test.queued_payloads()), 1, 'a reset with a minute left is queued again');
select ok((select bool_and(j.run_at > recorded.at) from graphile_worker._private_jobs j, recorded), 'after a pause');

-- Faults
select throws_ok($$select test.record_delivery(id, 'perhaps') from expiring$$, '23514', null, 'an unknown outcome is refused');
select throws_ok($$select test.record_delivery(id, null) from expiring$$, '23502', null, 'an attempt without outcome is refused');
select is(delivery.record_attempt(gen_random_uuid(), 'uncertain', null, null, null, null, null, null), null,
  'there is no other attempt for a one-time password that was deleted');
select is(test.call_as('latchkey_worker',
  'delivery.record_attempt(gen_random_uuid(), ''sent'', null, null, null, null, null, null)', null::integer), null,
  'the worker may record an attempt');

select * from finish();
rollback;
