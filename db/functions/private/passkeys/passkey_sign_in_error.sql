create or replace function private.passkey_sign_in_error(rp_id text)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if passkey_sign_in_error.rp_id is not null and private.setting('PASSKEY_SIGN_IN') = '"on"' then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'not_enabled'));
end
$$;

comment on function private.passkey_sign_in_error(text) is
$$The error where a passkey alone signs nobody in; null where it does. rp_id: as private.passkey_error.
Errors: INVALID_REQUEST (details.reason not_enabled).$$;
