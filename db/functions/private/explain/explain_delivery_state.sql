create or replace function private.explain_delivery_state(otp platform.otp_transaction)
returns setof platform.delivery_event
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_answered_at timestamptz;
  v_timeout interval := private.setting_period('OTP_SEND_TIMEOUT_SECONDS');
begin
  case otp.delivery
    when 'queued' then
      return next row(
        v_now, 'The message waits for a worker, or for its next attempt.', otp.id, 'if it waits for long: see worker in GET /ready/delivery'
      )::platform.delivery_event;
    when 'dropped' then
      return next row(
        coalesce(otp.current_since, otp.created_at), format('Nothing was sent: %s.', private.drop_reason(otp)), otp.id,
        'as far as it is known: the reason is not stored'
      )::platform.delivery_event;
    when 'cancelled' then
      if otp.voided_at is not null then
        return;
      end if;
      return next row(
        otp.created_at + v_timeout,
        case
          when private.may_have_been_sent(otp.id)
            then 'The request was answered OTP_SEND_FAILED, because the vendor had not answered in time. If the message arrives, its code does not work.'
          else 'The request was answered OTP_SEND_FAILED, because no vendor had taken the message in time. Nothing was sent.'
        end,
        otp.id, format('waits for %s seconds (OTP_SEND_TIMEOUT_SECONDS)', extract(epoch from v_timeout)::integer)
      )::platform.delivery_event;
    when 'stored' then
      return next row(
        otp.created_at, 'Nothing was sent: codes for an email address are only stored while EMAIL_DELIVERY is off.', otp.id, null
      )::platform.delivery_event;
    when 'test' then
      return next row(
        otp.created_at, 'Nothing was sent: this is a test number, whose code is fixed (OTP_TEST_NUMBERS).', otp.id, null
      )::platform.delivery_event;
    when 'withheld' then
      return next row(
        otp.created_at,
        'Nothing was sent, which the answer did not tell: the phone had no account that a code may open, and no invitation (REGISTRATION).',
        otp.id, 'see user_invitation, and the mutation invite'
      )::platform.delivery_event;
    else
      -- The events of the attempts show the rest, apart from what the user saw.
      if otp.awaited and otp.delivery not in ('sending', 'sent') then
        -- A millisecond later, so that it comes after an attempt that took no time.
        select max(a.started_at + (a.duration_ms + 1) * interval '1 millisecond') into v_answered_at
        from platform.delivery_attempt a where a.otp_id = otp.id;
        return next row(
          coalesce(v_answered_at, otp.created_at),
          'The request was answered OTP_SEND_FAILED.'
            || case otp.delivery when 'uncertain' then ' If the message arrives, its code does not work.' else '' end,
          otp.id, null
        )::platform.delivery_event;
      end if;
  end case;
end
$$;

comment on function private.explain_delivery_state(platform.otp_transaction) is
$$What became of the message of a one-time password where no attempt shows it: still queued, dropped, cancelled, only stored, withheld, or
for a test number; and that a request which waited for failed attempts was answered with an error.
A cancellation's time is not stored: it is the request plus OTP_SEND_TIMEOUT_SECONDS as set now.$$;
