create or replace function private.usable_account(phone text)
returns "user".account
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  select a.* into v_account from "user".account a where a.phone = usable_account.phone and private.is_usable(a);
  return v_account;
end
$$;

comment on function private.usable_account(text) is
$$The account that a phone may sign in to, or set a new password for: the one place that says which one. All null where there is none; callers
must answer then as for an unknown phone. Do not use it to check whether a phone is taken. phone: E.164.$$;
