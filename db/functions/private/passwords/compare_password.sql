create or replace function private.compare_password(password_prehash text, password_hash text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_highest_cost integer;
  v_cost integer;
  v_right boolean;
begin
  select greatest(private.setting_integer('PASSWORD_HASH_COST'), max(substr(a.password_hash, 5, 2))::integer) into v_highest_cost
  from "user".account a
  where a.password_hash is not null;

  v_cost := coalesce(private.password_cost(compare_password.password_hash), v_highest_cost);
  v_right := private.is_hash_of(
    compare_password.password_prehash, coalesce(compare_password.password_hash, private.decoy_salt(v_cost))
  ) and compare_password.password_hash is not null;

  -- Work doubles with each cost: one hash at every cost from the hash's own upwards adds up to the work of the highest.
  for v_missing_cost in v_cost .. v_highest_cost - 1 loop
    perform crypto.crypt(compare_password.password_prehash, private.decoy_salt(v_missing_cost));
  end loop;
  return coalesce(v_right, false);
end
$$;

comment on function private.compare_password(text, text) is
$$Whether a password is the stored one. Always does the bcrypt work of the highest cost in use, even without a hash, so that the time
reveals neither whether an account exists nor at which cost its password is stored. Holds no lock.
password_prehash: the server's keyed pre-hash. password_hash: the stored bcrypt, or null for no such account.$$;
