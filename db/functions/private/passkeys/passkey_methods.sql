create or replace function private.passkey_methods(signed private.signed_passkey)
returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select array[case when signed.is_backup_eligible then 'swk' else 'hwk' end] || case when signed.is_user_verified then array['user'] else '{}' end
$$;

comment on function private.passkey_methods(private.signed_passkey) is
$$How a passkey proves who its user is, for claim amr (RFC 8176): swk, a key that may be copied to other devices, or hwk, one that may not;
and user, if the device has verified its user.$$;
