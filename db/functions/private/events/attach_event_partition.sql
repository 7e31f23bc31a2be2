create or replace function private.attach_event_partition(name text, description text, first_id uuid default null, end_id uuid default null)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
-- For this function alone: the migration, which calls it, goes on to wait longer for others.
set lock_timeout = '200ms'
as $$
begin
  execute format('create table private.%I (like platform.event including all)', attach_event_partition.name);
  execute format('comment on table private.%I is %L', attach_event_partition.name, attach_event_partition.description);
  execute format('alter table private.%I enable row level security', attach_event_partition.name);
  -- Unlike "create table … partition of" it lets others write meanwhile.
  if attach_event_partition.first_id is null then
    execute format('alter table platform.event attach partition private.%I default', attach_event_partition.name);
  else
    execute format(
      'alter table platform.event attach partition private.%I for values from (%L) to (%L)',
      attach_event_partition.name, attach_event_partition.first_id, attach_event_partition.end_id
    );
  end if;
  execute format(
    'create trigger keep_events before truncate on private.%I for each statement execute function platform.keep_event()',
    attach_event_partition.name
  );
end
$$;

comment on function private.attach_event_partition(text, text, uuid, uuid) is
$$Makes a partition of platform.event in schema private. Waits a fifth of a second for a lock, then fails. name: of the table. description: its
comment. first_id: the first id that belongs to it; null: it is the one for all ids that belong to no other. end_id: the first one after it.$$;
