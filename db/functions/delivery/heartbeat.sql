create or replace function delivery.heartbeat(worker text, can_send boolean, providers text[] default null)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_forgotten_after constant interval := interval '1 minute';
begin
  -- Skips locked rows: two workers that return at the same time would otherwise wait for each other's row.
  delete from private.worker_heartbeat h
  where h.worker in (
    select old.worker from private.worker_heartbeat old
    where old.at < clock_timestamp() - c_forgotten_after and old.worker <> heartbeat.worker
    for update skip locked
  );

  insert into private.worker_heartbeat as h (worker, at, can_send, providers)
  values (heartbeat.worker, clock_timestamp(), heartbeat.can_send, heartbeat.providers)
  on conflict on constraint worker_heartbeat_pkey do update
    set at = excluded.at, can_send = excluded.can_send, providers = excluded.providers;
end
$$;

comment on function delivery.heartbeat(text, boolean, text[]) is
$$Shows that a worker runs: called every 10 seconds. Deletes the rows of workers that have not written for a minute.
worker: a random id of its own, a new one at each start. can_send: whether it can send SMS by a provider that OTP_PROVIDER names.
providers: those for which its environment has what they need, such as credentials; null, from a worker of an earlier version, if unknown.$$;
grant execute on function delivery.heartbeat(text, boolean, text[]) to latchkey_worker;
