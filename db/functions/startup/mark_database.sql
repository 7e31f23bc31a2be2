create or replace function startup.mark_database(seen text)
returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Several processes call this every ten seconds each; one write of them is enough.
  c_interval constant interval := interval '5 seconds';
  v_seen timestamptz := private.seen_mark(mark_database.seen);
  v_installation private.installation;
  v_is_committed boolean;
  v_kind text;
begin
  select i.* into v_installation from private.installation i for update;
  -- A mark of this transaction may be rolled back, and would then prove that data were lost.
  v_is_committed := not exists (
    select from private.installation i join pg_locks l on l.transactionid = i.xmin where l.pid = pg_backend_pid()
  );
  v_kind := private.restore_kind(v_seen);
  if v_kind = 'restore' then
    update private.installation set restore_noticed_at = clock_timestamp()
    where restore_noticed_at is null and v_seen is not null;
    return null;
  end if;
  if v_kind = 'failover' then
    perform private.settle_failover();
  elsif v_installation.origin is null or v_installation.marked_at is null
    or v_installation.marked_at < clock_timestamp() - c_interval
  then
    update private.installation i set origin = coalesce(i.origin, private.database_origin()), marked_at = clock_timestamp();
  end if;
  return coalesce(private.sign_mark(case when v_is_committed and v_installation.marked_at is not null then v_installation.marked_at else 'epoch' end), '');
end
$$;

comment on function startup.mark_database(text) is
$$Shows that a process uses the database: called at its start and every ten seconds. What it remembers of the previous call proves whether data were
lost meanwhile, under its own connections: a restore is stored and remains until platform.after_restore; a failover is settled at once.
seen: the result of the previous call; null: this is the first; what the database has not signed is ignored, so that no process can make a restore up.
Result: the mark to remember; null: the database was restored.$$;
grant execute on function startup.mark_database(text) to latchkey_server, latchkey_worker;
