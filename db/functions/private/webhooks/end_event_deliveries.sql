create or replace function private.end_event_deliveries()
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_rows constant integer := 1000;
  -- An hour more than a delivery is tried for: it had its last attempt, or nobody came to make one.
  v_given_up timestamptz := clock_timestamp() - private.event_delivery_period() - interval '1 hour';
  v_forgotten timestamptz := clock_timestamp() - private.setting_period('FAILED_JOB_RETENTION_DAYS');
  v_ended bigint;
begin
  with ended as (
    select d.ctid as row, s.id is null or d.failed_at is not null as is_dropped
    from platform.event_delivery d
    left join settings.event_subscription s on s.id = d.subscription_id and (s.enabled or d.failed_at is not null)
    where s.id is null or d.failed_at < v_forgotten or (d.failed_at is null and d.queued_at < v_given_up)
    limit c_rows
    for update of d skip locked
  ),
  dropped as (delete from platform.event_delivery d using ended e where d.ctid = e.row and e.is_dropped),
  failed as (
    update platform.event_delivery d set failed_at = clock_timestamp() from ended e where d.ctid = e.row and not e.is_dropped
  )
  select count(*) into v_ended from ended;
  return v_ended = c_rows;
end
$$;

comment on function private.end_event_deliveries() is
$$Gives up events that wait for more than a day, and deletes those that were given up FAILED_JOB_RETENTION_DAYS ago or wait for a subscription that is
off or gone: what queued them may have been committed after it. At most 1000. Result: whether there may be more.$$;
