create or replace function api.measure()
returns api.measurement_answer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most_jobs constant integer := 10000;
  c_most_sends constant integer := 3000;
  v_answer api.measurement_answer;
begin
  select count(*)::integer, coalesce(extract(epoch from now() - min(j.run_at)) * 1000, 0)::integer
  into v_answer.jobs_due, v_answer.oldest_job_ms
  from (
    select p.run_at from graphile_worker._private_jobs p
    where p.is_available and p.run_at <= now() order by p.priority, p.run_at limit c_most_jobs
  ) j;
  select count(*)::integer into v_answer.jobs_later
  from (
    select from graphile_worker._private_jobs p
    where p.is_available and p.run_at > now() order by p.priority, p.run_at limit c_most_jobs
  ) j;

  select count(*)::integer, (count(*) filter (where h.can_send))::integer into v_answer.workers, v_answer.able_workers
  from private.worker_heartbeat h
  where h.at > now() - private.heartbeat_lifetime();

  v_answer.sends := array(
    select row(s.country, coalesce(s.provider, 'none'), count(*), count(s.verified_at))::private.measured_sends
    from (
      select d.country, d.verified_at,
        (select a.provider from platform.delivery_attempt a where a.otp_id = d.otp_id order by a.started_at desc limit 1) as provider
      from platform.send_decision d
      -- People have had five minutes to type the code.
      where d.at > now() - interval '20 minutes' and d.at <= now() - interval '5 minutes' and d.otp_id is not null
      order by d.at desc
      limit c_most_sends
    ) s
    group by s.country, s.provider
  );
  v_answer.verdicts := array(
    select row(s.verdict, coalesce(s.rule, 'none'), count(*))::private.measured_verdicts
    from (
      select d.verdict, d.rule from platform.send_decision d
      where d.at > now() - interval '5 minutes'
      order by d.at desc
      limit c_most_sends
    ) s
    group by s.verdict, s.rule
  );
  return v_answer;
end
$$;

comment on function api.measure() is
$$What a server's metrics say of the whole installation: the queue, the workers, and the latest 3000 decisions to send an SMS, of the
quarter of an hour that ended five minutes ago (sends, with the codes that were used since) and of the last five minutes (verdicts). Reads
by indexes, and as many rows at most in a busy hour as in a quiet one. Errors: none.$$;
grant execute on function api.measure() to latchkey_server;
