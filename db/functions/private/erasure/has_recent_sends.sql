create or replace function private.has_recent_sends(account "user".account)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_identifiers text[] := array(
    select p from unnest(private.phones_of_account(account)) p
    union
    select e.phone from private.earlier_phone e where e.account_id = account.id
    union
    select private.counted_identifier(m) from unnest(private.emails_of_account(account)) m
  );
begin
  return exists (
    select from unnest(v_identifiers) p, private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', p) r
    join platform.rate_limit l on l.key = r.key
    where l.hits[cardinality(l.hits)] > clock_timestamp() - r.period
  );
end
$$;

comment on function private.has_recent_sends("user".account) is
$$Whether OTP_SEND_PER_IDENTIFIER still counts a send to a phone or an email that the account has, had or asked for. An erasure deletes these counters: it waits
until they count nothing, so that deleting accounts does not raise the limit.$$;
