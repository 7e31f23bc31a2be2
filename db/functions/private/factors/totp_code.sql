create or replace function private.totp_code(secret bytea, step bigint)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_digits constant integer := 6;
  v_mac bytea := crypto.hmac(int8send(totp_code.step), totp_code.secret, 'sha1');
  v_offset integer := get_byte(v_mac, 19) & 15;
  -- 31 bits: RFC 4226, section 5.3, masks the first one.
  v_number bigint := ((get_byte(v_mac, v_offset) & 127)::bigint << 24) | (get_byte(v_mac, v_offset + 1) << 16)
    | (get_byte(v_mac, v_offset + 2) << 8) | get_byte(v_mac, v_offset + 3);
begin
  return lpad((v_number % (10 ^ c_digits)::bigint)::text, c_digits, '0');
end
$$;

comment on function private.totp_code(bytea, bigint) is
$$The code of an authenticator app (RFC 6238, SHA-1, 6 digits) for a step: the number of its 30 seconds since 1970.$$;
