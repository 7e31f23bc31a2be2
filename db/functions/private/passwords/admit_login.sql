create or replace function private.admit_login(account "user".account, password_prehash text)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from "user".account a
  where a.id = account.id and a.phone = account.phone and private.is_usable(a)
    and (
      a.password_hash is not distinct from account.password_hash
      or private.has_replaced_import(a, account, admit_login.password_prehash)
    )
  for no key update;
  return found;
end
$$;

comment on function private.admit_login("user".account, text) is
$$Whether a login with the right password may open a session: only while the account still has the compared password
and the phone, and is neither disabled nor erased. If two logins re-hash at once because PASSWORD_HASH_COST changed, the second is refused,
and its retry succeeds: a second comparison would reveal that the password was right before it was changed. Locks the account's row, as a
reset and a change of phone do, so that no login with the old password, or to the old phone, survives a concurrent one.
account: the row as read before the comparison. password_prehash: the server's keyed pre-hash.$$;
