create or replace function private.password_to_compare(account "user".account, phone text)
returns "user".account
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Computed for every phone, so that the time does not reveal which ones have a password.
  v_decoy "user".account := private.decoy_password(password_to_compare.phone);
begin
  return case when account.password_hash is null then v_decoy else account end;
end
$$;

comment on function private.password_to_compare("user".account, text) is
$$What a password typed for a phone is compared with: the account's, or the phone's decoy where there is no account or it has no password.
account: all null where there is none. phone: E.164.$$;
