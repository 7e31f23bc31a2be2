create or replace function private.asks_for_factor(user_id uuid)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.setting('SECOND_FACTOR') <> '"off"' and private.has_factor(asks_for_factor.user_id);
end
$$;

comment on function private.asks_for_factor(uuid) is
$$Whether an account is asked for its second factor: it has one, and SECOND_FACTOR is not off. The one place that says so.$$;
