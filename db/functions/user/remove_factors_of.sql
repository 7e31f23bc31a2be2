create or replace function "user".remove_factors_of(user_id uuid)
returns setof "user".factor
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.lock_account(remove_factors_of.user_id);
  return query
  select f.* from private.delete_factors(remove_factors_of.user_id, array(
    select o.id from "user".factor o where o.user_id = remove_factors_of.user_id
  )) f;
end
$$;

comment on function "user".remove_factors_of(uuid) is
$$Mutation remove_factors_of: the admin removes every second factor of an account, and its recovery codes. user_id: the account. Result: what
they were.$$;
grant execute on function "user".remove_factors_of(uuid) to latchkey_admin;
