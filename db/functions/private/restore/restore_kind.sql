create or replace function private.restore_kind(seen timestamptz default null)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A promoted standby was reachable again by then, and what it lacks of the old primary's data is less.
  c_failover constant interval := interval '5 minutes';
  c_lost_by_failover constant interval := interval '1 minute';
  v_installation private.installation;
  v_then private.database_origin;
  v_now private.database_origin := private.database_origin();
  v_since_mark interval;
begin
  select i.* into v_installation from private.installation i where i.is_one;
  v_then := v_installation.origin;
  v_since_mark := clock_timestamp() - v_installation.marked_at;
  if v_installation.restore_noticed_at is not null
    or v_then.system_identifier <> v_now.system_identifier
    or v_then.table_id <> v_now.table_id
    or restore_kind.seen > v_installation.marked_at + c_lost_by_failover
  then
    return 'restore';
  end if;
  if v_then.timeline is null or v_now.timeline is null or v_then.timeline = v_now.timeline then
    return null;
  end if;
  if restore_kind.seen is not null or v_since_mark between - c_failover and c_failover then
    return 'failover';
  end if;
  return 'restore';
end
$$;

comment on function private.restore_kind(timestamptz) is
$$What has happened to the data since they were settled last. restore: they come from a backup, because cluster or tables are others, or because
a process has seen a later mark, or because the timeline is another one and the latest mark is old. failover: only the timeline is another one, and
next to nothing is missing. Null: nothing, or nothing that can be noticed.
seen: private.installation.marked_at as the caller saw it last; null: it has not seen any.$$;
