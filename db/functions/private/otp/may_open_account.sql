create or replace function private.may_open_account(phone text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  select a.* into v_account from "user".account a where a.phone = may_open_account.phone;
  return (v_account.id is null or private.is_recycled(v_account)) and private.setting('SIGNUP_BY_CODE') = '"on"';
end
$$;

comment on function private.may_open_account(text) is
$$Whether a LOGIN code opens an account for a phone: the one place that says which phones may sign up by code. Only for the caller with the
right code: to others it would show who has an account. phone: E.164.$$;
