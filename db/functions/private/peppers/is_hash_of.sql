create or replace function private.is_hash_of(prehashes text, password_hash text)
returns boolean
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_bcrypt_length constant integer := 60;
  v_prehash text := private.named_prehash(is_hash_of.prehashes, private.pepper_of_password(is_hash_of.password_hash));
begin
  return crypto.crypt(split_part(v_prehash, ':', -1), left(is_hash_of.password_hash, c_bcrypt_length)) = left(is_hash_of.password_hash, c_bcrypt_length);
end
$$;

comment on function private.is_hash_of(text, text) is
$$Whether a stored hash is of a password: one bcrypt, whichever pepper it was made under. prehashes: as private.named_prehash.$$;
