create or replace function private.lock_account_to_tell(user_id uuid)
returns "user".account
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_phone text := (select a.phone from "user".account a where a.id = lock_account_to_tell.user_id);
begin
  if v_phone is not null then
    perform private.lock_rate_limit('NOTICES_PER_IDENTIFIER:' || v_phone);
  end if;
  return private.lock_account(lock_account_to_tell.user_id);
end
$$;

comment on function private.lock_account_to_tell(uuid) is
$$private.lock_account for a change of factors, which the phone is told (private.tell_phone): the limit of notices is locked before the
account. Of other limits the caller has locked those whose keys sort before it.$$;
