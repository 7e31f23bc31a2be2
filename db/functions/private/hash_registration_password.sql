create or replace function private.hash_registration_password(phone text, password_prehash text)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_earlier_hash text;
begin
  select a.password_hash into v_earlier_hash
  from "user".account a
  where a.phone = hash_registration_password.phone and a.phone_verified_at is null;

  if private.password_cost(v_earlier_hash) = private.setting_integer('PASSWORD_HASH_COST') then
    return crypto.crypt(password_prehash, v_earlier_hash);
  end if;
  return private.hash_password(password_prehash);
end
$$;

comment on function private.hash_registration_password(text, text) is
$$bcrypt of a registration's password, under the salt of an earlier unverified registration of the phone if there is one.
So one bcrypt both makes the hash and tells, by equality, whether the password is the earlier one; a second bcrypt, to compare,
would tell by its time that the phone is being registered. phone: E.164. password_prehash: as private.hash_password.$$;
revoke all on function private.hash_registration_password(text, text) from public;
