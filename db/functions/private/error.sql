create or replace function private.error(code text, details jsonb default null)
returns api.error
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when error.code is not null then row(error.code, error.details)::api.error end
$$;

comment on function private.error(text, jsonb) is
$$The error of a refused call; null for a null code. The only place that makes one: a row whose fields are all null is null in SQL,
but an object in JSON, which the server would take for a refusal. code: of the error catalog. details: for the client.$$;
