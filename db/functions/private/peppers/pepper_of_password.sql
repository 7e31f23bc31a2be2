create or replace function private.pepper_of_password(password_hash text)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return nullif(substr(pepper_of_password.password_hash, 62), '');
end
$$;

comment on function private.pepper_of_password(text) is
$$The id of the pepper, 16 hexadecimal digits, that a password hash was made under; null where it names none. password_hash: of "user".account.$$;
