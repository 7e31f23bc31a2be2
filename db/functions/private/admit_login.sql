create or replace function private.admit_login(account "user".account, password_prehash text)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_new_hash text := account.password_hash;
begin
  if account.foreign_parameters is not null
    or private.password_cost(account.password_hash) <> private.setting_integer('PASSWORD_HASH_COST')
  then
    v_new_hash := private.hash_password(password_prehash);
  end if;

  perform from "user".account a
  where a.id = account.id and a.phone = account.phone and private.is_usable(a)
    and private.is_compared_password(a, account, admit_login.password_prehash)
  for no key update;
  if not found then
    return false;
  end if;

  update "user".account a set password_hash = v_new_hash, foreign_parameters = null
  where a.id = account.id and a.password_hash <> v_new_hash;
  return true;
end
$$;

comment on function private.admit_login("user".account, text) is
$$Whether a login with the right password may open a session: only while the account still has the compared password
(private.is_compared_password) and the phone, and is neither disabled nor erased. Locks the account's row, as a reset and a change of
phone do, so that no login with the old password, or to the old phone, survives a concurrent one.
Re-hashes a password that is stored at another cost than PASSWORD_HASH_COST, or was imported. account: the row as read before the comparison.$$;
