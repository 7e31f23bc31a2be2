create or replace function private.is_compared_password(account "user".account, compared "user".account, password_prehash text)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select account.password_hash is not distinct from compared.password_hash
    or compared.foreign_parameters is not null and account.foreign_parameters is null
      and crypto.crypt(is_compared_password.password_prehash, account.password_hash) = account.password_hash
$$;

comment on function private.is_compared_password("user".account, "user".account, text) is
$$Whether an account still has the password with which a typed one was compared. Of two first logins after an import, the first replaces
the hash: the second compares the typed password with the new one. If two logins re-hash at once because PASSWORD_HASH_COST changed, the
second is refused, and its retry succeeds: a second comparison would reveal that the password was right before it was changed.
account: the row as it is. compared: the row as read before the comparison. password_prehash: the server's keyed pre-hash.$$;
