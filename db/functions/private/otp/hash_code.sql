create or replace function private.hash_code(otp_id uuid, code text, code_key bytea)
returns bytea
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_key_bytes constant integer := 32;
begin
  if hash_code.code_key is null or length(hash_code.code_key) < c_key_bytes then
    raise exception 'the code key is missing or shorter than % bytes', c_key_bytes using errcode = 'invalid_parameter_value';
  end if;
  return crypto.hmac(convert_to(hash_code.otp_id || ':' || hash_code.code, 'UTF8'), hash_code.code_key, 'sha256');
end
$$;

comment on function private.hash_code(uuid, text, bytea) is
$$HMAC-SHA-256 (RFC 2104) of a one-time password's id and code. Keyed, because hashing all possible codes takes a second; the key is never
stored in the database. Raises when the key is missing: no code is ever stored under a weak one.
otp_id: binds the hash to its row. code: decimal digits. code_key: 32 bytes or more.$$;
