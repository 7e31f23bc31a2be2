begin;
select plan(9);
select test.clean_slate();
delete from private.worker_heartbeat;
create function pg_temp.measured() returns api.measurement_answer language sql
as $$ select test.call_as('latchkey_server', 'api.measure()', null::api.measurement_answer) $$;
create function pg_temp.queue() returns text language sql
as $$ select row(m.jobs_due, m.jobs_later, m.oldest_job_ms)::text from pg_temp.measured() m $$;

select is(pg_temp.queue(), '(0,0,0)', 'an empty queue has no jobs, and none that waits');
select private.queue_send(gen_random_uuid(), now() - interval '90 seconds');
select private.queue_send(gen_random_uuid(), null);
select private.queue_send(gen_random_uuid(), now() + interval '8 seconds');
select is(pg_temp.queue(), '(2,1,90000)', 'jobs are due or for later, and the oldest one says for how long it has waited');
update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker' where run_at < now();
select is(pg_temp.queue(), '(1,1,0)', 'a job that a worker has taken does not wait');

select delivery.heartbeat('one', true);
select delivery.heartbeat('two', false);
select is((select row(m.workers, m.able_workers)::text from pg_temp.measured() m), '(2,1)', 'workers count, and those that can send');

create function pg_temp.decide(at timestamptz, country text, verdict text, rule text, verified boolean, provider text) returns void language sql
as $$
  with otp as (select (test.queue_otp('+12025550101', 'PHONE', 'LOGIN', false, clock_timestamp())).id),
  attempt as (
    insert into platform.delivery_attempt (id, otp_id, provider, channel, started_at)
    select private.new_id(), otp.id, decide.provider, 'sms', now() from otp where decide.provider is not null
  )
  insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, rule, otp_id, verified_at)
  select private.new_id(), decide.at, '+12025', decide.country, '192.0.2.1', 'LOGIN', decide.verdict, decide.rule,
    case when decide.verdict <> 'refused' then otp.id end, case when decide.verified then now() end
  from otp
$$;
create function pg_temp.sends() returns text[] language sql
as $$ select array(select s::text from unnest((pg_temp.measured()).sends) s order by 1) $$;
create function pg_temp.verdicts() returns text[] language sql
as $$ select array(select v::text from unnest((pg_temp.measured()).verdicts) v order by 1) $$;
select pg_temp.decide(now() - interval '6 minutes', 'DE', 'allowed', null, true, 'twilio');
select pg_temp.decide(now() - interval '7 minutes', 'DE', 'recorded', 'FRAUD_BUDGET', false, 'twilio');
select pg_temp.decide(now() - interval '8 minutes', 'FR', 'allowed', null, false, null);
select is(pg_temp.sends(), array['(DE,twilio,2,1)', '(FR,none,1,0)'], 'sends count by country and vendor, with those whose code was used');
select is(pg_temp.verdicts(), array[]::text[], 'verdicts older than five minutes do not count');
select pg_temp.decide(now() - interval '1 minute', 'US', 'refused', 'FRAUD_BUDGET', false, null);
select pg_temp.decide(now() - interval '30 minutes', 'US', 'allowed', null, true, 'twilio');
select is(pg_temp.sends(), array['(DE,twilio,2,1)', '(FR,none,1,0)'], 'a send that was refused does not count, nor an older one');
select pg_temp.decide(now() - interval '1 minute', 'US', 'allowed', null, false, 'twilio');
select is(pg_temp.verdicts(), array['(allowed,none,1)', '(refused,FRAUD_BUDGET,1)'], 'verdicts count by rule');
select is(pg_temp.sends(), array['(DE,twilio,2,1)', '(FR,none,1,0)'], 'a send whose code may still come back does not count yet');
select * from finish();
rollback;
