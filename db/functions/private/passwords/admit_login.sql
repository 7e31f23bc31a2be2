create or replace function private.admit_login(account "user".account, password_prehash text)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from "user".account a
  where a.id = account.id and a.phone = account.phone and private.is_usable(a)
    and private.is_compared_password(a, account, admit_login.password_prehash)
  for no key update;
  return found;
end
$$;

comment on function private.admit_login("user".account, text) is
$$Whether a login with the right password may open a session: only while the account still has the compared password
(private.is_compared_password) and the phone, and is neither disabled nor erased. Locks the account's row, as a reset and a change of
phone do, so that no login with the old password, or to the old phone, survives a concurrent one.
account: the row as read before the comparison. password_prehash: the server's keyed pre-hash.$$;
