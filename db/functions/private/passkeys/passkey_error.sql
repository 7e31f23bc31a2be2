create or replace function private.passkey_error(rp_id text)
returns api.error
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if passkey_error.rp_id is not null then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'not_enabled'));
end
$$;

comment on function private.passkey_error(text) is
$$The error where there are no passkeys; null where there are. rp_id: the domain that they belong to (WEBAUTHN_RP_ID), or null.
Errors: INVALID_REQUEST (details.reason not_enabled).$$;
