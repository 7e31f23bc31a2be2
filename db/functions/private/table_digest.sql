create or replace function private.table_digest(schema_name text, table_name text)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select encode(substr(sha256(convert_to(table_digest.schema_name || '.' || table_digest.table_name, 'UTF8')), 1, 16), 'hex')
$$;

comment on function private.table_digest(text, text) is
$$How a notification names a table, as private.notification_digest names a row. Result: 32 hexadecimal digits of the SHA-256 of schema.table
(runtime/database/notifications.ts computes the same).$$;
