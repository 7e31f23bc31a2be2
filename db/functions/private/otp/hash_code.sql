create or replace function private.hash_code(otp_id uuid, code text, code_key bytea)
returns bytea
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_key_bytes constant integer := 32;
  c_id_bytes constant integer := 8;
  v_text bytea := convert_to(hash_code.otp_id || ':' || hash_code.code, 'UTF8');
begin
  if hash_code.code_key is null or length(hash_code.code_key) < c_key_bytes then
    raise exception 'the code key is missing or shorter than % bytes', c_key_bytes using errcode = 'invalid_parameter_value';
  end if;
  if length(hash_code.code_key) % (c_id_bytes + c_key_bytes) = 0 then
    return crypto.hmac(v_text, substr(hash_code.code_key, c_id_bytes + 1, c_key_bytes), 'sha256') || substr(hash_code.code_key, 1, c_id_bytes);
  end if;
  return crypto.hmac(v_text, hash_code.code_key, 'sha256');
end
$$;

comment on function private.hash_code(uuid, text, bytea) is
$$HMAC-SHA-256 (RFC 2104) of a one-time password's id and code, then the id of the pepper that the key is derived from. Keyed, because hashing all possible codes takes a second; the key is never
stored in the database. Raises when the key is missing: no code is ever stored under a weak one.
otp_id: binds the hash to its row. code: decimal digits. code_key: 40 bytes for each
pepper that HASH_PEPPER names, the current one first, which is used: 8 of its id and 32 of the key; or a key of 32 bytes without a name.$$;
