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
$$Trigger of platform.event and its partitions: refuses update, delete and truncate, whoever asks. Only an address may be removed, as the erasure of
an account does: the chains do not cover it.$$;

create or replace trigger keep_event before delete on platform.event
  for each row execute function platform.keep_event();
create or replace trigger keep_event_as_it_is before update on platform.event
  for each row when (
    -- Not as two rows: of these pg_restore makes another expression, which the next migration would repair.
    new.client is not null
    or old.id is distinct from new.id
    or old.type is distinct from new.type
    or old.at is distinct from new.at
    or old.user_id is distinct from new.user_id
    or old.session_id is distinct from new.session_id
    or old.actor is distinct from new.actor
    or old.data is distinct from new.data
    or old.lane is distinct from new.lane
    or old.position is distinct from new.position
    or old.hash is distinct from new.hash
  )
  execute function platform.keep_event();
create or replace trigger keep_events before truncate on platform.event
  for each statement execute function platform.keep_event();
create or replace trigger keep_events before truncate on private.event_other
  for each statement execute function platform.keep_event();
