create or replace function "user".erase_account(id uuid)
returns "user".account
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  if not (private.erase_some_events(erase_account.id) or private.erase_some_sessions(erase_account.id)) then
    return private.erase_account(erase_account.id);
  end if;
  perform from private.revoke_sessions_of_user(erase_account.id, '{}', 'account_deleted');
  update "user".account a set deletion_due_at = least(a.deletion_due_at, clock_timestamp()) where a.id = erase_account.id
  returning a.* into v_account;
  return v_account;
end
$$;

comment on function "user".erase_account(uuid) is
$$Mutation erase_account: the admin deletes an account at once, with all that is stored about its person; nothing undoes it. The phone can
register again. An account with thousands of sessions or events has its deletion due now instead: nobody can sign in to it, and the clean-up deletes it
within the hour. id: the account. Result: the account as it was; null where there was none.$$;
grant execute on function "user".erase_account(uuid) to latchkey_admin;
