create or replace function private.settle_restore()
returns setof text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind text := private.restore_kind();
begin
  if v_kind = 'restore' then
    return query select r.line from platform.after_restore() r (line);
  elsif v_kind = 'failover' then
    perform private.settle_failover();
    return next 'a standby took over: codes and waiting messages have ended';
  else
    update private.installation i
    set origin = private.database_origin(), marked_at = coalesce(i.marked_at, clock_timestamp())
    where i.origin is null;
  end if;
end
$$;

comment on function private.settle_restore() is
$$Settles a restore or the promotion of a standby that nobody has settled, and records the copy of the data where none is recorded. A step of each
migration. Result: lines to print.$$;
