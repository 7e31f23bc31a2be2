create or replace function private.erase_traces(account "user".account)
returns platform.send_decision[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_counted platform.send_decision[] := private.erase_sends(account);
  -- Phones that the account asked for, never got, and that nobody has: of these only the limits of such a request are
  -- the account's.
  v_asked text[] := array(
    select e.phone
    from private.earlier_phone e
    where e.account_id = account.id and e.held_until is null and not private.has_other_users(e)
    order by e.phone
  );
  v_emails text[] := private.emails_of_account(account);
  v_limits text[] := array(select 'OTP_SEND_PER_IDENTIFIER:' || p from unnest(v_asked) p);
begin
  -- Guesses at codes for a phone that the account asked for.
  delete from private.guess_count g
  using platform.otp_transaction o
  where o.account_id = account.id
    and g.identifier_type = o.identifier_type and g.identifier = o.identifier and g.purpose = o.purpose and g.account_id = account.id;
  perform private.erase_identifier('PHONE', p) from unnest(private.phones_of_account(account)) p;
  -- The remaining ones are of phones that other people have too: limits and wrong codes of such a phone are theirs.
  delete from platform.otp_transaction o where o.id = any (private.otps_of_account(account));
  delete from private.pending_registration r
  using private.earlier_phone e
  where e.account_id = account.id and r.phone = e.phone
    and r.registered_at > private.held_since(e) and r.registered_at <= e.held_until;
  -- private.erase_sends has locked those that existed by then, in the order in which requests do.
  delete from platform.rate_limit l where l.key = any (v_limits);
  perform private.erase_rate_limits(p || ' ' || purpose) from unnest(v_asked) p, unnest(array['PHONE_CHANGE', 'PHONE_RECOVERY']) purpose;
  -- Not where a stranger's code for the phone is kept: the wrong codes in a row count against that one, too.
  delete from private.verification_state s
  where s.identifier_type = 'PHONE' and s.identifier = any (v_asked)
    and not exists (select from platform.otp_transaction o where o.identifier = s.identifier);
  -- Addresses that it asked for. Its own one: private.erase_email, by the caller.
  perform private.erase_email(e, account.id)
  from unnest(v_emails) e
  where e is distinct from account.email and not exists (
    select from platform.otp_transaction o where o.identifier = e and o.account_id is null and o.expires_at > clock_timestamp()
  );
  perform private.erase_rate_limits(account.id::text);
  delete from "user".session s
  where s.id in (select g.guest_session_id from platform.guest_promotion g where g.user_id = account.id);
  return v_counted;
end
$$;

comment on function private.erase_traces("user".account) is
$$Deletes what holds an account's phones or client addresses, and does not go with the account's row. Its email: private.erase_email. What limits
and fraud rules count for a client address alone stays until the clean-up deletes it as spent: other people may have the same address.
Result: decisions for private.uncount_client_sends, which the caller calls last.$$;
