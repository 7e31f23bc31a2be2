create or replace function private.check_recent_sign_in(session_id uuid)
returns private.password_check
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_recently constant interval := interval '10 minutes';
  v_check private.password_check;
begin
  perform from "user".session s
  where s.id = check_recent_sign_in.session_id and s.authenticated_at > clock_timestamp() - c_recently;
  if not found then
    v_check.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'recent_sign_in_required'));
    return v_check;
  end if;
  v_check.is_right := true;
  return v_check;
end
$$;

comment on function private.check_recent_sign_in(uuid) is
$$Whether a session signed in within 10 minutes, so that a device left behind cannot do what needs it. In place of private.check_password
where no password was given. session_id: of the caller. Errors: INVALID_REQUEST (details.reason recent_sign_in_required).$$;
