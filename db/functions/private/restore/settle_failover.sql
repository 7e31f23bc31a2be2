create or replace function private.settle_failover()
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.void_codes();
  insert into private.restore (settled_at, at, is_failover)
  select clock_timestamp(), i.marked_at, true from private.installation i;
  -- Never back: the new primary's clock may be behind, and who has seen the mark would take that for a restore.
  update private.installation i
  set origin = private.database_origin(), marked_at = greatest(i.marked_at, clock_timestamp());
end
$$;

comment on function private.settle_failover() is
$$Settles a promoted standby, which may lack the last second: codes and waiting messages end, sessions stay as they are. The caller holds the row of
private.installation.$$;
