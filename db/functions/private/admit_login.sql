create or replace function private.admit_login(account "user".account, password_prehash text)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_new_hash text := account.password_hash;
begin
  if private.password_cost(account.password_hash) <> private.setting_integer('PASSWORD_HASH_COST') then
    v_new_hash := private.hash_password(password_prehash);
  end if;

  perform from "user".account a
  where a.id = account.id and a.password_hash is not distinct from account.password_hash and a.phone = account.phone
  for no key update;
  if not found then
    return false;
  end if;

  update "user".account a set password_hash = v_new_hash
  where a.id = account.id and a.password_hash <> v_new_hash;
  return true;
end
$$;

comment on function private.admit_login("user".account, text) is
$$Whether a login with the right password may open a session: only while the compared hash is still the stored one,
and the phone still the account's. Locks the account's row, as a reset and a change of phone do, so that no login with the old password, or to
the old phone, survives a concurrent one.
Re-hashes a password that is stored at another cost than PASSWORD_HASH_COST. account: the row as read before the comparison.$$;
