create or replace function private.erase_account(account_id uuid)
returns "user".account
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_counted platform.send_decision[];
begin
  select a.* into v_account from "user".account a where a.id = erase_account.account_id;
  -- In the order in which requests lock: the account's row comes after verification states, one-time passwords and limits. The trigger
  -- does the same again, for what was stored meanwhile, and for deletes that do not come through here.
  perform private.lock_verification_state('PHONE', p) from unnest(private.phones_of_account(v_account)) p order by p;
  perform private.lock_verification_state('EMAIL', e) from unnest(private.emails_of_account(v_account)) e order by e;
  -- Logins and changes of password hold these limits when they lock the account: locked here, although there may be no such row yet.
  perform private.lock_rate_limit(k.key)
  from unnest(array['LOGINS_PER_PHONE:' || v_account.phone, 'PASSWORD_CHANGES_PER_USER:' || v_account.id]) k (key)
  where k.key is not null
  order by k.key collate "C";
  v_counted := private.erase_traces(v_account);
  delete from "user".account a where a.id = erase_account.account_id returning a.* into v_account;
  perform private.uncount_client_sends(v_counted);
  return v_account;
end
$$;

comment on function private.erase_account(uuid) is
$$Deletes an account at once, with everything that holds its phones, email or addresses (trigger "user".erase_account_traces).
Result: the account as it was; all null where there is none.$$;
