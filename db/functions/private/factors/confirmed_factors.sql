create or replace function private.confirmed_factors(user_id uuid)
returns "user".factor[]
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select f from "user".factor f where f.user_id = confirmed_factors.user_id and f.confirmed_at is not null order by f.id
  )
$$;

comment on function private.confirmed_factors(uuid) is
$$A user's second factors, any of which will do. Volatile: read after a lock, it sees what was committed meanwhile.$$;
