create or replace function private.registration_error()
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.setting('REGISTRATION') = '"closed"' then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'not_enabled'));
  end if;
  return null;
end
$$;

comment on function private.registration_error() is
$$Why no registration and no SIGNUP code is taken; null unless REGISTRATION is closed. Errors: INVALID_REQUEST (details.reason not_enabled).$$;
