create or replace function api.check_readiness(migration text)
returns api.readiness_answer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workers integer;
  v_senders integer;
  v_mailers integer;
  v_answer api.readiness_answer;
begin
  -- Raises instead of returning a result: the server closes a connection that fails with this, and the next one may
  -- reach the new primary.
  if current_setting('transaction_read_only')::boolean then
    raise exception 'the database is read-only' using errcode = 'read_only_sql_transaction';
  end if;

  select
    count(*)::integer, (count(*) filter (where h.can_send))::integer,
    -- A worker of an earlier version does not say.
    (count(*) filter (where coalesce('smtp' = any (h.providers), true)))::integer
  into v_workers, v_senders, v_mailers
  from private.worker_heartbeat h
  where h.at > now() - private.heartbeat_lifetime();

  v_answer.failed := array_remove(array[
    case when not exists (select from migration.applied a where a.name = check_readiness.migration) then 'schema' end,
    case when private.restore_kind() is not distinct from 'restore' then 'restored' end
  ], null);
  v_answer.undelivered := array_remove(array[
    -- Without a worker nobody can tell whether one could send: only its absence is reported.
    case when private.setting('OTP_PROVIDER') is null or (v_workers > 0 and v_senders = 0) then 'provider' end,
    case when v_workers = 0 then 'worker' end,
    case when private.setting('EMAIL_DELIVERY') = '"on"' and v_workers > 0 and (v_mailers = 0 or private.setting('OTP_PROVIDER') #> '{smtp,from}' is null) then 'email' end
  ], null);
  return v_answer;
end
$$;

comment on function api.check_readiness(text) is
$$GET /ready and GET /ready/delivery: what keeps the server from serving, and what keeps messages from being sent. migration: the latest
one that the server needs; a newer database is ready, so that a rolling deployment migrates first. Result: failed holds schema (that
migration is not applied) and restored (from a backup, and platform.after_restore has not run); undelivered holds provider (OTP_PROVIDER is not set, or no live worker can send by it), worker (no recent
heartbeat) and email (EMAIL_DELIVERY is on, and OTP_PROVIDER has no smtp.from or no live worker has SMTP_URL). It raises 25006 where the database is read-only, as the old primary is after a failover. Errors: none.$$;
grant execute on function api.check_readiness(text) to latchkey_server, latchkey_graphql;
