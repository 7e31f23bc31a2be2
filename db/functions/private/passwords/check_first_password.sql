create or replace function private.check_first_password(account "user".account, session_id uuid)
returns private.password_check
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_recently constant interval := interval '10 minutes';
  v_check private.password_check;
begin
  if account.password_hash is not null then
    v_check.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
    return v_check;
  end if;
  perform from "user".session s
  where s.id = check_first_password.session_id and s.authenticated_at > clock_timestamp() - c_recently;
  if not found then
    v_check.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'recent_sign_in_required'));
    return v_check;
  end if;
  v_check.is_right := true;
  return v_check;
end
$$;

comment on function private.check_first_password("user".account, uuid) is
$$Whether a session may set the first password of its account: within 10 minutes of signing in, so that a device left behind cannot. In
place of private.check_password where no password was given. session_id: of the account.
Errors: INVALID_REQUEST (details.reason login_refused: the account has a password; recent_sign_in_required).$$;
