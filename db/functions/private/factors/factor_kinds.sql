create or replace function private.factor_kinds(user_id uuid)
returns jsonb
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_agg(distinct f.kind) from "user".factor f where f.user_id = factor_kinds.user_id and f.confirmed_at is not null
$$;

comment on function private.factor_kinds(uuid) is
$$The kinds of second factors that an account has confirmed, each once, so that a client asks for no other; null: it has none.$$;
