create or replace function private.notification_digest(id uuid)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select encode(substr(sha256(uuid_send(notification_digest.id)), 1, 16), 'hex')
$$;

comment on function private.notification_digest(uuid) is
$$How a notification names a row: any role that can log in may LISTEN, and only a process that has the id recognizes its digest.
Result: 32 hexadecimal digits of its SHA-256 (runtime/database/notifications.ts computes the same).$$;
