create or replace function api.settle_otp_send(otp_id uuid, deadline_reached boolean)
returns api.otp_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
  v_answer api.otp_answer;
  v_seconds_left numeric := 0.0;
begin
  select o.* into v_otp from platform.otp_transaction o where o.id = settle_otp_send.otp_id;
  if v_otp.delivery = 'withheld' then
    return private.settle_withheld(v_otp, settle_otp_send.deadline_reached);
  end if;
  -- 'sent' is final and the usual case: locking such a row would write WAL for nothing.
  if v_otp.delivery <> 'sent' then
    select o.* into v_otp from platform.otp_transaction o where o.id = settle_otp_send.otp_id for update;
  end if;
  if v_otp.delivery in ('queued', 'sending') and not settle_otp_send.deadline_reached then
    v_seconds_left := private.setting_integer('OTP_SEND_TIMEOUT_SECONDS')
      - floor(extract(epoch from clock_timestamp() - v_otp.created_at));
  end if;
  if v_otp.delivery = 'sent' or v_seconds_left > 0 then
    v_answer.otp_id := v_otp.id;
    v_answer.expires_at := v_otp.expires_at;
    v_answer.wait_seconds := nullif(v_seconds_left, 0);
    return v_answer;
  end if;

  if v_otp.delivery = 'queued' and not private.may_have_been_sent(v_otp.id) then
    -- No vendor was called, or none took it: the message was certainly not sent.
    perform private.give_back_send(v_otp.id);
  end if;
  update platform.otp_transaction o set delivery = 'cancelled'
  where o.id = v_otp.id and o.delivery in ('queued', 'sending');
  if found then
    perform private.record_outcome(v_otp, 'cancelled');
  end if;
  v_answer.error := private.error('OTP_SEND_FAILED');
  return v_answer;
end
$$;

comment on function api.settle_otp_send(uuid, boolean) is
$$POST /api/v1/otp/send and /auth/phone, after each NOTIFY otp_delivery and at the deadline: the recorded outcome of the SMS decides. While there is no
outcome, a notification changes nothing (every login role can send one) and wait_seconds says how much longer to wait. At the deadline,
by the caller's clock or by this one, the one-time password is cancelled, so that a late SMS is worthless. One that is withheld is answered by
private.settle_withheld.
otp_id: from api.send_otp. deadline_reached: the caller waits no longer. Errors: OTP_SEND_FAILED.$$;
grant execute on function api.settle_otp_send(uuid, boolean) to latchkey_server;
