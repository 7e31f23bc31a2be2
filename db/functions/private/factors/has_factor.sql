create or replace function private.has_factor(user_id uuid)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from "user".factor f where f.user_id = has_factor.user_id and f.confirmed_at is not null);
end
$$;

comment on function private.has_factor(uuid) is
$$Whether an account has a second factor that was confirmed.$$;
