create or replace function private.signed_passkey(authenticator_data bytea)
returns private.signed_passkey
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_flags integer := get_byte(signed_passkey.authenticator_data, 32);
begin
  return row(
    ('x' || encode(substr(signed_passkey.authenticator_data, 34, 4), 'hex'))::bit(32)::bigint & 4294967295,
    v_flags & 4 <> 0, v_flags & 8 <> 0, v_flags & 16 <> 0
  )::private.signed_passkey;
end
$$;

comment on function private.signed_passkey(bytea) is
$$What a passkey says of itself in what it signs (WebAuthn, section 6.1): 32 bytes of digest, one of flags, four of counter.
authenticator_data: whose signature the server has verified.$$;
