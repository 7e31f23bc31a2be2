create or replace function private.keep_event_partitions()
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_months_ahead constant integer := 3;
  v_month timestamp := date_trunc('month', clock_timestamp() at time zone 'UTC');
  v_before timestamptz := clock_timestamp() - private.setting_period('EVENT_RETENTION_DAYS');
  v_partition regclass;
begin
  for v_ahead in 0 .. c_months_ahead loop
    perform private.add_event_partition((v_month + make_interval(months => v_ahead)) at time zone 'UTC');
  end loop;
  for v_partition in select p.partition from private.event_partitions() p where p.ends_at <= v_before order by p.ends_at loop
    perform private.drop_event_partition(v_partition);
  end loop;
  if exists (select from private.event_other o where o.id < private.first_id(v_before))
    and not exists (select from private.event_other o where o.id >= private.first_id(v_before)) then
    perform private.drop_event_partition('private.event_other');
    perform private.attach_event_partition('event_other', 'Events of months that have no partition of their own');
  end if;
exception
  when lock_not_available then null;
end
$$;

comment on function private.keep_event_partitions() is
$$Makes the partitions of platform.event for this month and the next three, and drops those whose last moment is EVENT_RETENTION_DAYS ago. Both
take locks that others wait for: where none is free within a fifth of a second, all is left to the next run.$$;
