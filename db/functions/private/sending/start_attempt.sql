create or replace function private.start_attempt(otp platform.otp_transaction, provider text)
returns platform.delivery_attempt
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt platform.delivery_attempt;
begin
  if otp.delivery = 'sending' then
    -- The worker of that attempt died, or lost its job: the vendor may have sent the message.
    update platform.delivery_attempt a set outcome = 'uncertain', vendor_error = 'the worker stopped'
    where a.otp_id = otp.id and a.outcome is null;
  end if;

  insert into platform.delivery_attempt as a (id, otp_id, provider, route, channel, trace, started_at)
  values (
    private.new_id(), otp.id, start_attempt.provider,
    private.route_of(private.setting('OTP_PROVIDER'), otp.identifier),
    private.attempt_channel(otp, start_attempt.provider),
    nullif(current_setting('latchkey.request', true), '')::jsonb ->> 'traceparent',
    -- Later than earlier ones, also if the clock was set back: of several attempts the newest decides
    -- (delivery.record_attempt).
    greatest(
      clock_timestamp(), (select max(a.started_at) + interval '1 microsecond' from platform.delivery_attempt a where a.otp_id = otp.id)
    )
  )
  returning a.* into v_attempt;
  return v_attempt;
end
$$;

comment on function private.start_attempt(platform.otp_transaction, text) is
$$Records that a message is passed to a provider now. otp: a row that the caller has locked, as it was before this attempt. Its
trace is that of the worker (setting latchkey.request).$$;
