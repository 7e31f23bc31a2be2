create or replace function "user".enable_account(id uuid)
returns "user".account
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  -- Enabling an account that is not disabled leaves what is remembered of the last time.
  update "user".account a
  set was_disabled_at = a.disabled_at, was_disabled_reason = a.disabled_reason, enabled_at = clock_timestamp(),
    disabled_at = null, disabled_reason = null
  where a.id = enable_account.id and a.disabled_at is not null
  returning a.* into v_account;
  if v_account.id is null then
    select a.* into v_account from "user".account a where a.id = enable_account.id;
  end if;
  return v_account;
end
$$;

comment on function "user".enable_account(uuid) is
$$Mutation enable_account: the admin undoes disable_account; the sessions stay revoked, and the account remembers that it was disabled. id: the
account. Result: the account; null where there is none.$$;
grant execute on function "user".enable_account(uuid) to latchkey_admin;
