create or replace function "user".remove_factor(id uuid)
returns "user".factor
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- An admin has no address as limits count it.
  c_client constant text := '';
  v_user_id uuid := (select f.user_id from "user".factor f where f.id = remove_factor.id);
  v_factor "user".factor;
begin
  select f.* into v_factor
  from private.delete_factors(private.lock_account_to_tell(v_user_id), array[remove_factor.id], '{}', c_client) f;
  return v_factor;
end
$$;

comment on function "user".remove_factor(uuid) is
$$Mutation remove_factor: the admin removes a second factor, such as one on a phone that was lost, and the recovery codes with the last one;
the phone is told. id: the factor. Result: what it was; null where there is none.$$;
grant execute on function "user".remove_factor(uuid) to latchkey_admin;
