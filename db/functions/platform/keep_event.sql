create or replace function platform.keep_event()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'events are neither changed nor removed' using errcode = 'check_violation', constraint = 'event_stays',
    hint = 'EVENT_RETENTION_DAYS says when the clean-up drops a month of them.';
end
$$;

comment on function platform.keep_event() is
$$Trigger of platform.event and its partitions: refuses update, delete and truncate, whoever asks.$$;

create or replace trigger keep_event before update or delete on platform.event
  for each row execute function platform.keep_event();
create or replace trigger keep_events before truncate on platform.event
  for each statement execute function platform.keep_event();
create or replace trigger keep_events before truncate on private.event_other
  for each statement execute function platform.keep_event();
