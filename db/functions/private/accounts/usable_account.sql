create or replace function private.usable_account(identifier text)
returns "user".account
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  if strpos(usable_account.identifier, '@') = 0 then
    select a.* into v_account from "user".account a where a.phone = usable_account.identifier and private.is_usable(a);
  else
    select a.* into v_account from "user".account a
    where a.email = usable_account.identifier and a.email_verified_at is not null and private.is_usable(a);
  end if;
  return v_account;
end
$$;

comment on function private.usable_account(text) is
$$The account that a phone, or a verified email, may sign in to, or set a new password for: the one place that says which one. One without a phone,
whose number was recycled, is nobody's. All null where there is none; callers must answer then as for an unknown phone. Do not use it to check
whether a phone is taken. identifier: E.164 or lower-cased email.$$;
