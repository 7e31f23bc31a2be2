create or replace function "user".disable_account(id uuid, reason text)
returns "user".account
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  if coalesce(btrim(disable_account.reason), '') = '' then
    raise exception 'an account is disabled with a reason, which other admins see'
      using errcode = 'check_violation', constraint = 'account_is_disabled_with_a_reason';
  end if;
  update "user".account a set disabled_at = coalesce(a.disabled_at, clock_timestamp()), disabled_reason = disable_account.reason
  where a.id = disable_account.id
  returning a.* into v_account;
  perform private.revoke_sessions_of_user(v_account.id, '{}', 'account_disabled');
  return v_account;
end
$$;

comment on function "user".disable_account(uuid, text) is
$$Mutation disable_account: the admin revokes an account's sessions, and nobody can sign in to it until enable_account. A sign-in is
answered as for an unknown phone. id: the account. reason: for other admins, not blank, at most 1000 characters. Result: the account; null where
there is none.$$;
grant execute on function "user".disable_account(uuid, text) to latchkey_admin;
