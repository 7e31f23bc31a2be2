create or replace function platform.count_live()
returns setof platform.live_count
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Keeps the count fast in a busy hour, because it is repeated after every change.
  c_most constant integer := 10000;
  -- Bounds the read. A message that waits for longer leaves the count.
  c_longest_wait constant interval := interval '10 minutes';
  -- Of the transaction: a reader that asks twice in one gets the same hour.
  v_now timestamptz := now();
  v_hour timestamptz := date_trunc('hour', v_now, 'UTC');
  v_first uuid := private.first_id(v_hour);
  v_count platform.live_count;
begin
  v_count.hour := v_hour;
  select coalesce(sum(c.sends), 0)::integer, coalesce(sum(c.verified), 0)::integer into v_count.sent, v_count.verified
  from private.send_count c where c.subject = 'all' and c.period = 'hour' and c.starts_at = v_hour;
  select count(*)::integer into v_count.refused
  from (
    select from (select d.verdict from platform.send_decision d where d.at >= v_hour order by d.at desc limit c_most) l where l.verdict = 'refused'
  ) d;
  select count(*)::integer into v_count.waiting
  from (
    select from (
      select o.delivery from platform.otp_transaction o where o.created_at >= v_now - c_longest_wait order by o.created_at desc limit c_most
    ) l
    where l.delivery in ('queued', 'sending')
  ) o;
  select count(*)::integer into v_count.signed_in
  from (
    select from (select s.user_id from "user".session s where s.id >= v_first order by s.id desc limit c_most) l where l.user_id is not null
  ) s;
  select count(*)::integer into v_count.registered
  from (select from "user".account a where a.id >= v_first order by a.id desc limit c_most) a;
  select count(*)::integer into v_count.workers from private.worker_heartbeat w where w.at > v_now - private.heartbeat_lifetime();
  return next v_count;
end
$$;

comment on function platform.count_live() is
$$@behavior -*
The row of the view platform.live_counters, which GraphQL shows instead.$$;
grant execute on function platform.count_live() to latchkey_admin;

create or replace view platform.live_counters with (security_invoker = true) as
  select c.hour, c.sent, c.verified, c.refused, c.waiting, c.signed_in, c.registered, c.workers from platform.count_live() c;
comment on view platform.live_counters is
  'One row: what happened since this clock hour (UTC) began. Reads at most the latest 10000 rows of a table, so the counts may be too low in a very busy hour';
comment on column platform.live_counters.hour is 'When the hour began';
comment on column platform.live_counters.sent is 'SMS that the fraud rules let through';
comment on column platform.live_counters.verified is 'Those of them whose code was used';
comment on column platform.live_counters.refused is 'SMS that the fraud rules refused';
comment on column platform.live_counters.waiting is 'Messages of the last ten minutes that wait for a worker or a vendor';
comment on column platform.live_counters.signed_in is 'Sessions of users that were opened';
comment on column platform.live_counters.registered is 'Accounts that were made';
comment on column platform.live_counters.workers is 'Workers that wrote a heartbeat in the last 30 seconds';
