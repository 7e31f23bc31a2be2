create or replace function private.login_by_otp_error()
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.setting('LOGIN_BY_OTP') = '"off"' then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'not_enabled'));
  end if;
  return null;
end
$$;

comment on function private.login_by_otp_error() is
$$Why a LOGIN code is neither sent nor accepted; null while LOGIN_BY_OTP is on. Errors: INVALID_REQUEST (details.reason not_enabled).$$;
