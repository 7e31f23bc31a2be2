begin;
select plan(33);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.request(phone text, awaited boolean) returns uuid language plpgsql
as $$
begin
  if awaited then
    perform api.send_otp(phone, 'PHONE', 'PASSWORD_RESET', '192.0.2.1', test.code_key(), 'US');
  else
    perform api.request_password_reset(phone, '192.0.2.1', 'US');
  end if;
  perform delivery.issue_otp_code((test.otp(phone, 'PASSWORD_RESET')).id, test.code_key());
  return (test.otp(phone, 'PASSWORD_RESET')).id;
end
$$;
create function pg_temp.outcome(awaited boolean, outcome text)
returns table (again boolean, delivery text, is_current boolean, counted integer)
language plpgsql
as $$
declare
  v_id uuid;
begin
  delete from platform.rate_limit;
  v_id := pg_temp.request('+12025550101', awaited);
  again := delivery.record_delivery(v_id, outcome);
  select o.delivery, o.current_since is not null into delivery, is_current from platform.otp_transaction o where o.id = v_id;
  counted := test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101');
  return next;
end
$$;
create temp table result on commit drop as
  select a.*, o.*, r.* from (values (true), (false)) a (awaited), (values ('sent'), ('refused'), ('unreachable'), ('uncertain')) o (outcome),
  pg_temp.outcome(awaited, outcome) r;

-- Awaited by a request
select is(delivery, outcome, 'an awaited delivery is recorded as ' || outcome) from result where awaited order by outcome;
select is((select array_agg(outcome) from result where awaited and is_current), array['sent'],
  'an awaited code becomes current only when it was sent');
select is((select array_agg(outcome order by outcome) from result where awaited and counted = 0), array['refused', 'unreachable'],
  'refused and unreachable deliveries give the send back to the phone, since no SMS was sent');
select is((select bool_or(again) from result where awaited), false,
  'an awaited delivery is never retried, because its request reports the failure');

-- Not awaited: resets
select is(delivery, outcome, 'a reset''s delivery is recorded as ' || outcome) from result where not awaited order by outcome;
select is((select bool_and(is_current) from result where not awaited), true,
  'a reset''s code becomes current whatever the outcome');
select is((select array_agg(counted) from result where not awaited), array[1, 1, 1, 1], 'a reset''s send is never given back');
select is((select array_agg(outcome order by outcome) from result where not awaited and again), array['uncertain', 'unreachable'],
  'a reset is retried only after the outcomes uncertain and unreachable');

-- The latest delivered code is current
select test.clean_slate();
create temp table code on commit drop as
  select 1 as n, test.send_code('+12025550101', 'LOGIN') as code, (test.otp('+12025550101', 'LOGIN')).id;
create temp table resend on commit drop as select (private.queue_otp('+12025550101', 'LOGIN', true, clock_timestamp())).id;
create function pg_temp.current_is(otp_id uuid) returns boolean language sql
as $$ select (private.current_otp('PHONE', '+12025550101', 'LOGIN')).id = otp_id $$;
select ok((select pg_temp.current_is(id) from code), 'a queued resend leaves the previous code current');
select delivery.issue_otp_code(id, test.code_key()) from resend;
select ok((select pg_temp.current_is(id) from code), 'a resend that is being sent leaves the previous code current');
select delivery.record_delivery(id, 'uncertain') from resend;
select ok((select pg_temp.current_is(id) from code), 'a failed resend leaves the previous code current');
insert into resend select (private.queue_otp('+12025550101', 'LOGIN', true, clock_timestamp())).id;
select delivery.issue_otp_code(id, test.code_key()), delivery.record_delivery(id, 'sent') from resend;
select ok((select not pg_temp.current_is(id) from code), 'a resend that was sent replaces the previous code');

-- A recorded outcome
select test.clean_slate();
create temp table done on commit drop as
  select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US') as answer;
select delivery.issue_otp_code((answer).otp_id, test.code_key()), delivery.record_delivery((answer).otp_id, 'sent') from done;
create temp table stored on commit drop as select * from platform.otp_transaction;
select is((select delivery.record_delivery((answer).otp_id, 'uncertain') from done), false,
  'a delivery that was sent is not retried');
select results_eq('select * from platform.otp_transaction', 'select * from stored',
  'a delivery that was sent keeps its row unchanged');
select test.clean_slate();
create temp table cancelled on commit drop as
  select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US') as answer;
select delivery.issue_otp_code((answer).otp_id, test.code_key()), api.settle_otp_send((answer).otp_id, true),
  delivery.record_delivery((answer).otp_id, 'sent') from cancelled;
select is((select delivery || ' ' || (current_since is null) from platform.otp_transaction), 'cancelled true',
  'a cancelled one-time password stays cancelled and does not become current');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'a cancelled delivery that was sent stays counted');
select delivery.record_delivery((answer).otp_id, 'refused') from cancelled;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'a late refusal gives the send back');
select delivery.record_delivery((answer).otp_id, 'refused') from cancelled;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'a repeated refusal gives nothing more back');
select is((select delivery from platform.otp_transaction), 'cancelled', 'a late refusal leaves the one-time password cancelled');

-- Retries of a reset
select test.clean_slate();
select test.make_account('+12025550101');
create temp table reset on commit drop as select pg_temp.request('+12025550101', false) as id;
select delivery.record_delivery(id, 'uncertain') from reset;
create temp table since on commit drop as select current_since from platform.otp_transaction;
select delivery.issue_otp_code(id, test.code_key()), delivery.record_delivery(id, 'sent') from reset;
select is((select delivery from platform.otp_transaction), 'sent', 'a successful retry is recorded as sent');
select is((select current_since from platform.otp_transaction), (select current_since from since),
  'a successful retry does not change since when the code is current');
create temp table expiring on commit drop as select pg_temp.request('+12025550101', false) as id;
select delivery.issue_otp_code(id, test.code_key()) from expiring;
select test.age_otps('239 seconds');
select ok((select delivery.record_delivery(id, 'uncertain') from expiring), 'a reset with a minute left is retried');
select test.age_otps('2 seconds');
select ok((select not delivery.record_delivery(id, 'uncertain') from expiring),
  'a reset with less than a minute left is not retried');

-- Faults
select throws_ok($$select delivery.record_delivery(id, 'perhaps') from expiring$$, '22023', null, 'an unknown outcome is refused');
select ok((select delivery.record_delivery(gen_random_uuid(), 'sent')) is not true,
  'a one-time password that does not exist is not retried');
set local role latchkey_worker;
select lives_ok($$select delivery.record_delivery('00000000-0000-4000-8000-000000000000', 'sent')$$,
  'the worker may call record_delivery');
reset role;

select throws_ok($$ select delivery.record_delivery(gen_random_uuid(), 'cancelled') $$, '22023', null,
  'the outcome cancelled is refused, because only the server cancels');
select * from finish();
rollback;
