create or replace function private.hash_registration_password(phone text, password_prehash text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return crypto.crypt(
    password_prehash,
    private.registration_salt(hash_registration_password.phone, private.setting_integer('PASSWORD_HASH_COST'))
  );
end
$$;

comment on function private.hash_registration_password(text, text) is
$$bcrypt of a registration's password, under the salt that all registrations of its phone share: equal hashes show equal passwords without
a second bcrypt. phone: E.164. password_prehash: as private.hash_password.$$;
