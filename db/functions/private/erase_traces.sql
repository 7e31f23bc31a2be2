create or replace function private.erase_traces(account "user".account)
returns platform.send_decision[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_counted platform.send_decision[] := private.erase_sends(account);
begin
  -- Codes for a phone that is another account's by now, or was all the time.
  delete from private.guess_count g
  using platform.otp_transaction o
  where o.account_id = account.id
    and g.identifier_type = o.identifier_type and g.identifier = o.identifier and g.purpose = o.purpose and g.account_id = account.id;
  perform private.erase_identifier('PHONE', p) from unnest(private.phones_of_account(account)) p;
  perform private.erase_identifier('EMAIL', e) from unnest(private.emails_of_account(account)) e;
  -- Those that are left are of phones that other accounts have: limits and wrong codes of such a phone are theirs.
  delete from platform.otp_transaction o where o.id = any (private.otps_of_account(account));
  perform private.erase_rate_limits(account.id::text);
  delete from "user".session s
  where s.id in (select g.guest_session_id from platform.guest_promotion g where g.user_id = account.id);
  return v_counted;
end
$$;

comment on function private.erase_traces("user".account) is
$$Deletes what holds an account's phones, email or client addresses, and does not go with the account's row. What limits and fraud rules
count for a client address alone stays until the clean-up deletes it as spent: it may be other people's address too.
Result: decisions for private.uncount_client_sends, which the caller calls last.$$;
