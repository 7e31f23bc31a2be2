create or replace function latchkey.notify_change()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_notify('table_changed', private.table_digest(tg_table_schema, tg_table_name));
  return null;
end
$$;

comment on function latchkey.notify_change() is
$$Trigger of a table for which latchkey.notify_changes was called: tells GraphQL that there is something to read again. It says neither who
changed what nor whom it concerns: each subscriber reads its own rows under row-level security.$$;

-- Settings are written seldom; our tables that grow with traffic notify by channels of their own, or not at all.
create or replace trigger latchkey_notify_changes after insert or update or delete or truncate on settings.configuration
  for each statement execute function latchkey.notify_change();
