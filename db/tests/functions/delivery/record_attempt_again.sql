begin;
select plan(14);

-- A call that is repeated because its connection was lost after COMMIT
select test.clean_slate();
delete from graphile_worker._private_jobs;
create function pg_temp.repeat() returns table (again boolean, delivery text, jobs integer, counted integer) language sql
as $$
  select test.record_delivery((test.otp('+12025550101', 'PASSWORD_RESET')).id, 'unreachable') is not null,
    (test.otp('+12025550101', 'PASSWORD_RESET')).delivery, (select count(*)::integer from test.queued_payloads()), test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101')
$$;
select test.make_account('+12025550101');
select test.send_reset('+12025550101', true);
delete from graphile_worker._private_jobs;
select results_eq('select * from pg_temp.repeat()', $$values (true, 'queued', 0, 1)$$, 'while a request waits the job learns when its next attempt is');
select results_eq('select * from pg_temp.repeat()', $$values (true, 'queued', 0, 1)$$, 'it learns that again if its call is repeated, and the send is not given back');
select test.age_otps('1 hour');
select test.send_reset('+12025550101', false);
delete from graphile_worker._private_jobs;
select results_eq('select again, delivery, jobs from pg_temp.repeat()', $$values (false, 'queued', 1)$$, 'the next attempt of a reset is queued');
select results_eq('select again, delivery, jobs from pg_temp.repeat()', $$values (false, 'queued', 1)$$, 'a repeated call queues no second one');
create temp table first_attempt on commit drop as
  select a.id from platform.delivery_attempt a where a.otp_id = (test.otp('+12025550101', 'PASSWORD_RESET')).id;
select test.issue_code((test.otp('+12025550101', 'PASSWORD_RESET')).id);
select is((select delivery.record_attempt(id, 'unreachable', null, null, null, null, 100, null) from first_attempt), null,
  'a repeated call that comes after the next attempt has begun learns of no other one');
select is((test.otp('+12025550101', 'PASSWORD_RESET')).delivery, 'sending', 'and leaves that attempt alone');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "fallback": ["http"],
  "http": {"url": "https://gateway.example"}}');
select test.age_otps('1 hour');
select test.send_reset('+12025550101', false);
select test.record_delivery((test.otp('+12025550101', 'PASSWORD_RESET')).id, 'unreachable');
select is(test.record_delivery((test.otp('+12025550101', 'PASSWORD_RESET')).id, 'unreachable'), 0, 'the fallback of a reset is tried at once, also if the call is repeated');

-- Two workers with one job, because the first one lost its connections: the newer attempt has replaced the code, and
-- decides
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
create function pg_temp.record_both(awaited boolean, older text, newer text, older_is_first boolean)
returns table (older_again boolean, newer_again boolean, jobs integer, delivery text, is_current boolean)
language plpgsql
as $$
declare
  v_id uuid := (test.queue_otp('+12025550101', 'PHONE', 'PASSWORD_RESET', awaited, clock_timestamp())).id;
  v_older uuid := (test.issue_code(v_id)).attempt_id;
  v_newer uuid := (test.issue_code(v_id)).attempt_id;
  v_is_older boolean;
  v_again boolean;
begin
  delete from graphile_worker._private_jobs;
  foreach v_is_older in array array[older_is_first, not older_is_first] loop
    v_again := delivery.record_attempt(
      case when v_is_older then v_older else v_newer end, case when v_is_older then older else newer end, null, null, null, null, 100, null
    ) is not null;
    if v_is_older then
      older_again := v_again;
    else
      newer_again := v_again;
    end if;
  end loop;
  select count(*) into jobs from graphile_worker._private_jobs;
  select o.delivery, o.current_since is not null into delivery, is_current from platform.otp_transaction o where o.id = v_id;
  return next;
end
$$;
select results_eq(format('select r.* from pg_temp.record_both(%L, %L, %L, %L) r', awaited, older, newer, older_is_first), expected, description)
from (values
  (false, 'unreachable', 'unreachable', true, $$values (false, false, 1, 'queued', true)$$, 'of two attempts of a reset that failed only the newer one queues another'),
  (false, 'declined', 'unreachable', false, $$values (false, false, 1, 'queued', true)$$, 'which the older one does not end'),
  (true, 'uncertain', 'unreachable', false, $$values (false, true, 0, 'queued', false)$$, 'the worker of the newer attempt goes on, and that of the older one does not'),
  (true, 'sent', 'unreachable', false, $$values (false, true, 0, 'queued', false)$$, 'an older attempt that was sent does not end the newer one''s retry: its code does not work'),
  (true, 'sent', 'unreachable', true, $$values (false, true, 0, 'queued', false)$$, 'nor does it if it is recorded first'),
  (true, 'sent', 'refused', false, $$values (false, false, 0, 'uncertain', false)$$, 'the older one''s message counts as one that may have been sent'),
  (true, 'unreachable', 'sent', true, $$values (false, false, 0, 'sent', true)$$, 'a newer attempt that was sent is what counts')
) c (awaited, older, newer, older_is_first, expected, description);

select * from finish();
rollback;
