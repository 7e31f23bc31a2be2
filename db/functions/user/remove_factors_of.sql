create or replace function "user".remove_factors_of(user_id uuid)
returns setof "user".factor
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- An admin has no address as limits count it.
  c_client constant text := '';
  v_account "user".account;
begin
  v_account := private.lock_account_to_tell(remove_factors_of.user_id);
  return query
  select f.* from private.delete_factors(v_account, array(select o.id from "user".factor o where o.user_id = v_account.id), '{}', c_client) f;
end
$$;

comment on function "user".remove_factors_of(uuid) is
$$Mutation remove_factors_of: the admin removes every second factor of an account, and its recovery codes; the phone is told. user_id: the account. Result: what
they were.$$;
grant execute on function "user".remove_factors_of(uuid) to latchkey_admin;
