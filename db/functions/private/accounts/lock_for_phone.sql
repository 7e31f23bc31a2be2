create or replace function private.lock_for_phone(account_id uuid, new_phone text)
returns "user".account
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  -- Limits are locked before accounts, phones and ids in ascending order, so that two accounts which exchange their
  -- phones cannot deadlock.
  select a.* into v_account from "user".account a where a.id = lock_for_phone.account_id;
  perform private.clear_login_failures(least(v_account.phone, lock_for_phone.new_phone));
  perform private.clear_login_failures(greatest(v_account.phone, lock_for_phone.new_phone));
  if v_account.phone is not null then
    perform private.lock_rate_limit('NOTICES_PER_IDENTIFIER:' || v_account.phone);
  end if;
  -- Read again: another session may have changed the phone meanwhile.
  perform from "user".account a where a.id = lock_for_phone.account_id or a.phone = lock_for_phone.new_phone order by a.id for update;
  select a.* into v_account from "user".account a where a.id = lock_for_phone.account_id;
  return v_account;
end
$$;

comment on function private.lock_for_phone(uuid, text) is
$$Locks an account, the one that has the phone which it is to get, and the limit of the notice, and forgets the failed logins of both phones.
The caller holds the new phone's row of private.verification_state. Result: the account.$$;
