create or replace function private.retry_wait(otp platform.otp_transaction, outcome text, retry_after interval)
returns interval
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A request that waits must be answered soon, so it gets few rounds.
  c_awaited_rounds constant integer := 3;
  c_first_pause constant interval := interval '2 seconds';
  c_first_awaited_pause constant interval := interval '0.2 seconds';
  c_longest_pause constant interval := interval '1 hour';
  -- Keeps the power in the range of an interval; c_longest_pause is reached long before.
  c_most_doublings constant integer := 20;
  v_chain text[] := private.provider_chain_of(otp);
  v_rounds integer;
  v_wait interval;
  v_end timestamptz;
begin
  if retry_wait.outcome in ('sent', 'refused') or otp.delivery not in ('sending', 'queued') then
    return null;
  end if;

  -- How often the provider that was tried least has been tried.
  select min((
    select count(*)::integer from platform.delivery_attempt a where a.otp_id = otp.id and a.provider = p.name
  )) into v_rounds
  from unnest(v_chain) p (name);
  if v_rounds = 0 then
    return interval '0';
  end if;
  if retry_wait.outcome = 'declined' and retry_wait.retry_after is null and otp.awaited then
    return null;
  end if;
  if otp.awaited and v_rounds >= c_awaited_rounds then
    return null;
  end if;

  -- Random, so that messages which failed together do not meet the vendor together again.
  v_wait := (1 + random()) * case when otp.awaited then c_first_awaited_pause else c_first_pause end
    * 2.0 ^ least(v_rounds - 1, c_most_doublings);
  v_wait := greatest(least(v_wait, c_longest_pause), retry_wait.retry_after);
  v_end := case
    when otp.awaited then otp.created_at + private.setting_period('OTP_SEND_TIMEOUT_SECONDS')
    else otp.expires_at
  end;
  return case when clock_timestamp() + v_wait < v_end then v_wait end;
end
$$;

comment on function private.retry_wait(platform.otp_transaction, text, interval) is
$$How long to wait before the next attempt; null: there is none. A provider that was not tried yet is tried at once. Then all of them
are tried again, with pauses that double: three rounds within OTP_SEND_TIMEOUT_SECONDS while a request waits, until the code expires for a
reset. Providers that declined without naming a time decline again, so a request does not wait for them.
otp: the locked row as it was during the attempt, which is recorded; its delivery is queued if the attempt is recorded a second time.
outcome: of that attempt. retry_after: what its vendor asked for.$$;
