create or replace function private.account_for_code(identifier text)
returns "user".account
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account := private.usable_account(account_for_code.identifier);
begin
  if private.is_recycled(v_account) then
    return null;
  end if;
  return v_account;
end
$$;

comment on function private.account_for_code(text) is
$$The account that a code sent to a phone, or to a verified email, may open, without a password: private.usable_account, unless the number may have another holder by
now (private.is_recycled). All null where there is none. identifier: E.164 or lower-cased email.$$;
