create or replace function private.check_first_password(account "user".account, session_id uuid)
returns private.password_check
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_check private.password_check;
begin
  if account.password_hash is not null then
    v_check.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
    return v_check;
  end if;
  return private.check_recent_sign_in(check_first_password.session_id);
end
$$;

comment on function private.check_first_password("user".account, uuid) is
$$Whether a session may set the first password of its account: only soon after signing in. In place of private.check_password where no
password was given. session_id: of the account.
Errors: INVALID_REQUEST (details.reason login_refused: the account has a password; recent_sign_in_required).$$;
