begin;
select plan(33);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.ask(phone text, awaited boolean) returns uuid language plpgsql
as $$
begin
  if awaited then
    perform api.send_otp(phone, 'PHONE', 'PASSWORD_RESET', '192.0.2.1', test.code_key());
  else
    perform api.request_password_reset(phone, '192.0.2.1');
  end if;
  perform delivery.issue_otp_code((test.otp(phone, 'PASSWORD_RESET')).id, test.code_key());
  return (test.otp(phone, 'PASSWORD_RESET')).id;
end
$$;
create function pg_temp.outcome(awaited boolean, outcome text) returns table (again boolean, delivery text, is_current boolean, counted integer)
language plpgsql
as $$
declare
  v_id uuid;
begin
  delete from platform.rate_limit;
  v_id := pg_temp.ask('+12025550101', awaited);
  again := delivery.record_delivery(v_id, outcome);
  select o.delivery, o.current_since is not null into delivery, is_current from platform.otp_transaction o where o.id = v_id;
  counted := test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101');
  return next;
end
$$;
create temp table result on commit drop as
  select a.*, o.*, r.* from (values (true), (false)) a (awaited), (values ('sent'), ('refused'), ('unreachable'), ('uncertain')) o (outcome),
  pg_temp.outcome(awaited, outcome) r;

-- A request waits
select is(delivery, outcome, 'what came of a delivery is recorded: ' || outcome) from result where awaited order by outcome;
select is((select array_agg(outcome) from result where awaited and is_current), array['sent'], 'a code becomes current when it was sent, and only then');
select is((select array_agg(outcome order by outcome) from result where awaited and counted = 0), array['refused', 'unreachable'],
  'a definite refusal and a refused connection give the send back to the phone; an uncertain one may have been sent');
select is((select bool_or(again) from result where awaited), false, 'while a request waits nothing is tried again: it is told of the failure');

-- Nobody waits
select is(delivery, outcome, 'what came of a reset''s delivery is recorded: ' || outcome) from result where not awaited order by outcome;
select is((select bool_and(is_current) from result where not awaited), true, 'a reset''s code becomes current whatever came of it');
select is((select array_agg(counted) from result where not awaited), array[1, 1, 1, 1], 'and is never given back');
select is((select array_agg(outcome order by outcome) from result where not awaited and again), array['uncertain', 'unreachable'],
  'where the vendor gave no clear answer the worker tries again, and only there');

-- The latest delivered is current
select test.clean_slate();
create temp table code on commit drop as select 1 as n, test.send_code('+12025550101', 'LOGIN') as code, (test.otp('+12025550101', 'LOGIN')).id;
create temp table resend on commit drop as select (private.queue_otp('+12025550101', 'LOGIN', true, clock_timestamp())).id;
create function pg_temp.current_is(whose uuid) returns boolean language sql
as $$ select (private.current_otp('PHONE', '+12025550101', 'LOGIN')).id = whose $$;
select ok((select pg_temp.current_is(id) from code), 'a resend that is queued leaves the code in hand current');
select delivery.issue_otp_code(id, test.code_key()) from resend;
select ok((select pg_temp.current_is(id) from code), 'so does one that is being sent');
select delivery.record_delivery(id, 'uncertain') from resend;
select ok((select pg_temp.current_is(id) from code), 'a failed resend does not kill the code in hand');
insert into resend select (private.queue_otp('+12025550101', 'LOGIN', true, clock_timestamp())).id;
select delivery.issue_otp_code(id, test.code_key()), delivery.record_delivery(id, 'sent') from resend;
select ok((select not pg_temp.current_is(id) from code), 'one that was sent replaces it');

-- A fate once recorded
select test.clean_slate();
create temp table done on commit drop as
  select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key()) as answer;
select delivery.issue_otp_code((answer).otp_id, test.code_key()), delivery.record_delivery((answer).otp_id, 'sent') from done;
create temp table stored on commit drop as select * from platform.otp_transaction;
select is((select delivery.record_delivery((answer).otp_id, 'uncertain') from done), false, 'what was sent is not tried again');
select results_eq('select * from platform.otp_transaction', 'select * from stored', 'and stays sent');
select test.clean_slate();
create temp table cancelled on commit drop as
  select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key()) as answer;
select delivery.issue_otp_code((answer).otp_id, test.code_key()), api.settle_otp_send((answer).otp_id, true),
  delivery.record_delivery((answer).otp_id, 'sent') from cancelled;
select is((select delivery || ' ' || (current_since is null) from platform.otp_transaction), 'cancelled true',
  'a cancelled one-time password stays cancelled and never becomes current');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'what may have been sent stays counted');
select delivery.record_delivery((answer).otp_id, 'refused') from cancelled;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'a refusal that comes late gives the send back');
select delivery.record_delivery((answer).otp_id, 'refused') from cancelled;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'and only once');
select is((select delivery from platform.otp_transaction), 'cancelled', 'but un-cancels nothing');

-- Retries of a reset
select test.clean_slate();
select test.make_account('+12025550101');
create temp table reset on commit drop as select pg_temp.ask('+12025550101', false) as id;
select delivery.record_delivery(id, 'uncertain') from reset;
create temp table since on commit drop as select current_since from platform.otp_transaction;
select delivery.issue_otp_code(id, test.code_key()), delivery.record_delivery(id, 'sent') from reset;
select is((select delivery from platform.otp_transaction), 'sent', 'a retry that succeeds is recorded as sent');
select is((select current_since from platform.otp_transaction), (select current_since from since), 'and stays current since the first try');
create temp table dying on commit drop as select pg_temp.ask('+12025550101', false) as id;
select delivery.issue_otp_code(id, test.code_key()) from dying;
select test.age_otps('239 seconds');
select ok((select delivery.record_delivery(id, 'uncertain') from dying), 'with a minute left a retry is worth it');
select test.age_otps('2 seconds');
select ok((select not delivery.record_delivery(id, 'uncertain') from dying), 'with less it is not');

-- Faults
select throws_ok($$select delivery.record_delivery(id, 'perhaps') from dying$$, '22023', null, 'an outcome that does not exist is refused');
select ok((select delivery.record_delivery(gen_random_uuid(), 'sent')) is not true, 'a one-time password that is gone is not tried again');
set local role latchkey_worker;
select lives_ok($$select delivery.record_delivery('00000000-0000-4000-8000-000000000000', 'sent')$$, 'the worker may record');
reset role;

select throws_ok($$ select delivery.record_delivery(gen_random_uuid(), 'cancelled') $$, '22023', null,
  'an outcome that is none of the four is refused');
select * from finish();
rollback;
