create or replace function private.second_factor_error(session_id uuid, user_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.asks_for_factor(second_factor_error.user_id) then
    return private.step_up_error(second_factor_error.session_id, second_factor_error.user_id);
  end if;
  return null;
end
$$;

comment on function private.second_factor_error(uuid, uuid) is
$$Why a session may not change its account's password, phone or email yet, nor delete or export it; null where the account has no second factor,
or the session has just proved one: whoever holds a stolen token, or the phone alone, must not take the account. session_id, user_id: of a live
session. Errors: those of private.step_up_error.$$;
