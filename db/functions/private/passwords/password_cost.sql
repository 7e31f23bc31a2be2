create or replace function private.password_cost(password_hash text)
returns integer
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select substr(password_cost.password_hash, 5, 2)::integer
$$;

comment on function private.password_cost(text) is
$$The bcrypt cost (log2 of rounds) that a password hash was made at; null for null.$$;
