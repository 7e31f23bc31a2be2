create or replace function private.recovery_error()
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.setting('PHONE_RECOVERY_BY_EMAIL') = '"on"' then
    return null;
  end if;
  return private.error('MISSING_FIELDS', '{"fields": ["password"]}');
end
$$;

comment on function private.recovery_error() is
$$Why nobody may change the phone without the password; null while PHONE_RECOVERY_BY_EMAIL is on. Errors: MISSING_FIELDS (details.fields password).$$;
