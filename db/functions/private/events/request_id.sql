create or replace function private.request_id()
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  -- As long as runtime/request_ids.ts admits one.
  select left(nullif(current_setting('latchkey.request', true), '')::jsonb ->> 'request_id', 128)
$$;

comment on function private.request_id() is
$$The X-Request-Id of the request, or of the one that caused the job, that this transaction is part of: a member of the setting latchkey.request, as
private.queue_send has it. Its client may have chosen it. Null: none, as over a socket and for an operator with SQL.$$;
