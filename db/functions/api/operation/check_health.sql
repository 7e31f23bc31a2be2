create or replace function api.check_health()
returns api.answer
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select row(null)::api.answer
$$;

comment on function api.check_health() is
$$GET /api/v1/health: shows that the database answers. Errors: none.$$;
grant execute on function api.check_health() to latchkey_server;
