create or replace function private.delete_factors(user_id uuid, factor_ids uuid[])
returns setof "user".factor
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  delete from "user".factor f
  where f.user_id = delete_factors.user_id and f.id = any (delete_factors.factor_ids)
  returning f.*;
  if not private.has_factor(delete_factors.user_id) then
    delete from private.recovery_code c where c.user_id = delete_factors.user_id;
  end if;
end
$$;

comment on function private.delete_factors(uuid, uuid[]) is
$$Removes second factors of a user, and the recovery codes with the last one. The caller has locked the account.$$;
