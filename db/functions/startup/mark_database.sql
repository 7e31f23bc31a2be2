create or replace function startup.mark_database(seen timestamptz)
returns timestamptz
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Several processes call this every ten seconds each; one write of them is enough.
  c_interval constant interval := interval '5 seconds';
  v_installation private.installation;
  v_kind text;
begin
  select i.* into v_installation from private.installation i for update;
  v_kind := private.restore_kind(mark_database.seen);
  if v_kind = 'restore' then
    update private.installation set restore_noticed_at = clock_timestamp()
    where restore_noticed_at is null and mark_database.seen is not null;
    return null;
  end if;
  if v_kind = 'failover' then
    perform private.settle_failover();
  elsif v_installation.origin is null or v_installation.marked_at is null
    or v_installation.marked_at < clock_timestamp() - c_interval
  then
    update private.installation i set origin = coalesce(i.origin, private.database_origin()), marked_at = clock_timestamp();
  end if;
  return coalesce((select i.marked_at from private.installation i), clock_timestamp());
end
$$;

comment on function startup.mark_database(timestamptz) is
$$Shows that a process uses the database: called at its start and every ten seconds. What it remembers of the previous call proves whether data were
lost meanwhile, under its own connections: a restore is stored and remains until platform.after_restore; a failover is settled at once.
seen: the result of the previous call; null: this is the first. Result: the mark to remember; null: the database was restored.$$;
grant execute on function startup.mark_database(timestamptz) to latchkey_server, latchkey_worker;
