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
      or account.foreign_parameters is not null and a.foreign_parameters is null
        and crypto.crypt(admit_login.password_prehash, a.password_hash) = a.password_hash
    )
  for no key update;
  return found;
end
$$;

comment on function private.admit_login("user".account, text) is
$$Whether a login with the right password may open a session: only while the account still has the compared password
and the phone, and is neither disabled nor erased. Of two first logins after an import, the first replaces the hash: the second compares the
typed password with the new one. If two logins re-hash at once because PASSWORD_HASH_COST changed, the second is refused, and its retry
succeeds: a second comparison would reveal that the password was right before it was changed. Locks the account's row, as a reset and a change of
phone do, so that no login with the old password, or to the old phone, survives a concurrent one.
account: the row as read before the comparison. password_prehash: the server's keyed pre-hash.$$;
