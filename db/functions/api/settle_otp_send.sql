create or replace function api.settle_otp_send(otp_id uuid)
returns api.otp_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
  v_answer api.otp_answer;
begin
  select o.* into v_otp from platform.otp_transaction o where o.id = settle_otp_send.otp_id for update;
  if v_otp.delivery = 'sent' then
    v_answer.otp_id := v_otp.id;
    v_answer.expires_at := v_otp.expires_at;
    return v_answer;
  end if;

  if v_otp.delivery = 'queued' then
    -- The vendor was never called, so nothing can have been sent.
    perform private.give_back_send(v_otp.id);
  end if;
  update platform.otp_transaction o set delivery = 'cancelled'
  where o.id = v_otp.id and o.delivery in ('queued', 'sending');
  v_answer.error_code := 'OTP_SEND_FAILED';
  return v_answer;
end
$$;

comment on function api.settle_otp_send(uuid) is
$$POST /api/v1/otp/send, once the wait is over: the recorded fate of the SMS wins; where it is still open the one-time password
is cancelled, so that a late SMS is worthless. otp_id: from api.send_otp. Errors: OTP_SEND_FAILED.$$;
revoke all on function api.settle_otp_send(uuid) from public;
grant execute on function api.settle_otp_send(uuid) to latchkey_server;
