create or replace function private.hash_password(password_prehash text)
returns text
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select private.bcrypt(hash_password.password_prehash, crypto.gen_salt('bf', private.setting_integer('PASSWORD_HASH_COST')))
$$;

comment on function private.hash_password(text) is
$$bcrypt of a keyed pre-hash with a fresh salt, at PASSWORD_HASH_COST, under the current pepper. password_prehash: as private.named_prehash;
one has 44 characters of base64, below bcrypt's limit of 72 bytes.$$;
