create or replace function private.erase_account(account_id uuid)
returns "user".account
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_counted platform.send_decision[];
  v_phone text;
  v_email text;
  v_phones text[];
  v_emails text[];
begin
  select a.* into v_account from "user".account a where a.id = erase_account.account_id;
  -- In the order in which requests lock: the account's row comes after verification states, one-time passwords and
  -- limits. The trigger does the same again, for what was stored meanwhile, and for deletes that do not come through
  -- here.
  v_phone := v_account.phone;
  v_phones := private.lock_phones_of_account(v_account);
  -- Locked even if another account has the same email: of two erasures at once, the second must see that the first took
  -- the email away.
  v_email := v_account.email;
  v_emails := private.emails_of_account(v_account);
  perform private.lock_emails(v_emails);
  -- Read again: while this waited, a request may have changed the phone or the email to one that is not locked.
  select a.* into v_account from "user".account a where a.id = erase_account.account_id;
  if (v_account.phone is distinct from v_phone or v_account.email is distinct from v_email) and v_account.id is not null then
    raise exception 'the account''s phone or email changed' using errcode = 'object_in_use';
  end if;
  -- Logins, changes of password and of factors, and wrong codes of a factor hold these limits when they lock the account, so they are locked first, also if the
  -- row does not exist yet.
  perform private.lock_rate_limit(k.key)
  from unnest(array['FACTOR_CHANGES_PER_USER:', 'FACTOR_FAILURES_PER_USER:', 'LOGINS_PER_PHONE:', 'PASSWORD_CHANGES_PER_USER:']) p (policy)
  cross join lateral (select p.policy || v_account.id) k (key)
  where k.key is not null
  order by k.key collate "C";
  v_counted := private.erase_traces(v_account);
  delete from "user".account a where a.id = erase_account.account_id returning a.* into v_account;
  -- The locks above may have created rows for a phone or email that other people have too.
  delete from private.verification_state s
  where (s.identifier_type, s.identifier) in (select 'PHONE', p from unnest(v_phones) p union all select 'EMAIL', e from unnest(v_emails) e)
    and s.failures = 0 and s.known_client_failures = 0;
  perform private.uncount_client_sends(v_counted);
  return v_account;
end
$$;

comment on function private.erase_account(uuid) is
$$Deletes an account at once, with everything that holds its phones, email or addresses (trigger "user".erase_account_traces).
Result: the account as it was; all null where there is none. Error object_in_use: its phone or email changed meanwhile, so that the caller may try again.$$;
