create or replace function delivery.record_attempt(
  attempt_id uuid, outcome text, vendor_message_id text, vendor_error text, price numeric, currency text, duration_ms integer,
  retry_after_seconds integer
)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
  v_attempt platform.delivery_attempt;
  v_wait interval;
begin
  if record_attempt.outcome is null then
    raise exception 'an attempt needs an outcome' using errcode = 'not_null_violation';
  end if;
  select o.* into v_otp
  from platform.otp_transaction o join platform.delivery_attempt a on a.otp_id = o.id
  where a.id = record_attempt.attempt_id
  for update of o;
  if not found then
    return null;
  end if;
  -- Read under the lock, as it was before.
  select a.* into v_attempt from platform.delivery_attempt a where a.id = record_attempt.attempt_id;
  update platform.delivery_attempt a
  set outcome = record_attempt.outcome, vendor_message_id = record_attempt.vendor_message_id,
      vendor_error = record_attempt.vendor_error, duration_ms = record_attempt.duration_ms,
      -- A receipt that came first may have named the price.
      price = coalesce(record_attempt.price, a.price),
      currency = coalesce(record_attempt.currency, a.currency)
  where a.id = record_attempt.attempt_id;

  -- Another worker runs the same job too, and its newer attempt has replaced the code: that one decides.
  if exists (select from platform.delivery_attempt a where a.otp_id = v_otp.id and a.started_at > v_attempt.started_at) then
    return null;
  end if;
  v_wait := private.retry_wait(v_otp, record_attempt.outcome, make_interval(secs => record_attempt.retry_after_seconds));
  -- The call is repeated because its connection was lost after COMMIT: what was decided stays. Only an attempt that
  -- this same job makes next, the fallback's at once or one of a request that waits, needs the answer again.
  if v_attempt.outcome is not null
    and (v_otp.delivery <> 'queued' or not v_otp.awaited and v_wait is distinct from interval '0')
  then
    return null;
  end if;
  if v_wait is null then
    perform private.settle_delivery(v_otp, record_attempt.outcome);
    return null;
  end if;
  update platform.otp_transaction o set delivery = 'queued' where o.id = v_otp.id;
  if not v_otp.awaited and v_wait > interval '0' then
    perform private.queue_send(v_otp.id, clock_timestamp() + v_wait);
    return null;
  end if;
  return ceil(extract(epoch from v_wait) * 1000)::integer;
end
$$;

comment on function delivery.record_attempt(uuid, text, text, text, numeric, text, integer, integer) is
$$Records how an attempt ended, and decides whether there is another one. attempt_id: of the message. outcome: sent; refused (by the
vendor, for the recipient); declined (for its own reasons); unreachable (no connection was made); uncertain (no clear answer); raises for
any other. vendor_message_id, vendor_error, price, currency: as the vendor said, or null. duration_ms: how long it took.
retry_after_seconds: the vendor's Retry-After, in seconds, or null.
Result: after how many milliseconds the worker calls delivery.issue_otp_code again; null: this job is done. A reset is queued again, so that
no job waits for long. The newest attempt decides, and once: the worker may repeat a call whose connection was lost, and an attempt whose
code a second worker has replaced changes nothing.$$;
grant execute on function delivery.record_attempt(uuid, text, text, text, numeric, text, integer, integer) to latchkey_worker;
