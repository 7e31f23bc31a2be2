create or replace function private.base64url(bytes bytea)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select translate(encode(base64url.bytes, 'base64'), E'+/=\n', '-_')
$$;

comment on function private.base64url(bytea) is
$$Bytes as WebAuthn's JSON has them (RFC 4648, section 5, without padding).$$;
