create or replace function private.check_email_sign_in(session_id uuid)
returns private.password_check
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_check private.password_check := private.check_recent_sign_in(check_email_sign_in.session_id);
begin
  -- The first method is that of the first step: a second factor has otp after it.
  if v_check.is_right and not exists (
    select from "user".session s where s.id = check_email_sign_in.session_id and s.amr[1] = 'otp'
  ) then
    v_check := null;
    v_check.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'recent_sign_in_required'));
  end if;
  return v_check;
end
$$;

comment on function private.check_email_sign_in(uuid) is
$$Whether a code by email opened a session within 10 minutes. In place of private.check_password where a lost phone is replaced. session_id: of
the caller. Errors: INVALID_REQUEST (details.reason recent_sign_in_required).$$;
