create or replace function private.hash_registration_password(phone text, password_prehash text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.bcrypt(
    hash_registration_password.password_prehash,
    -- bcrypt's base64 has a full stop instead of a plus.
    '$2a$' || lpad(private.setting_integer('PASSWORD_HASH_COST')::text, 2, '0') || '$'
      || translate(left(encode(sha256(convert_to('latchkey registration ' || hash_registration_password.phone, 'UTF8')), 'base64'), 22), '+', '.')
  );
end
$$;

comment on function private.hash_registration_password(text, text) is
$$bcrypt of a registration's password, under the salt that all registrations of its phone share: equal hashes show equal passwords without
a second bcrypt, whatever the order in which registrations arrive. Each phone has its own salt, and the hashed value is keyed, so no table of
hashes can be precomputed. Hashes under two peppers are different. phone: E.164. password_prehash: as private.hash_password.$$;
