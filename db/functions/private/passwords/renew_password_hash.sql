create or replace function private.renew_password_hash(account_id uuid, password_prehash text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_hash text;
  v_pepper_id text := substring(private.named_prehash(renew_password_hash.password_prehash) from '^(.*):');
begin
  select private.hash_password(renew_password_hash.password_prehash) into v_hash
  from "user".account a
  where a.id = renew_password_hash.account_id
    and (
      private.is_imported(a) or private.password_cost(a.password_hash) <> private.setting_integer('PASSWORD_HASH_COST')
      or private.pepper_of_password(a.password_hash) is distinct from v_pepper_id
    );
  if v_hash is not null then
    update "user".account a set password_hash = v_hash where a.id = renew_password_hash.account_id;
  end if;
end
$$;

comment on function private.renew_password_hash(uuid, text) is
$$Hashes an account's right password again, if the stored hash is of another cost than PASSWORD_HASH_COST, of another pepper
than the current one, or was imported. The caller holds
the account's row and no other that more than this account needs. password_prehash: the server's keyed pre-hash.$$;
