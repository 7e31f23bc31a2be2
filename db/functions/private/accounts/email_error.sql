create or replace function private.email_error()
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.setting('EMAIL_DELIVERY') <> '"on"' then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'not_enabled'));
  end if;
  return null;
end
$$;

comment on function private.email_error() is
$$Why nobody can change the email of an account; null while EMAIL_DELIVERY is on. Errors: INVALID_REQUEST (details.reason not_enabled).$$;
