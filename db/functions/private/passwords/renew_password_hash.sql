create or replace function private.renew_password_hash(account "user".account, password_prehash text)
returns text
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select private.hash_password(renew_password_hash.password_prehash)
  where account.foreign_parameters is not null
    or private.password_cost(account.password_hash) <> private.setting_integer('PASSWORD_HASH_COST')
$$;

comment on function private.renew_password_hash("user".account, text) is
$$A new hash of an account's right password, if the stored one is of another cost than PASSWORD_HASH_COST or was imported; null: it need not change.
account: its locked row. password_prehash: the server's keyed pre-hash.$$;
