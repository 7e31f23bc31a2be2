create or replace function private.send_phone_change(
  account_id uuid, phone text, counted_at timestamptz, client text, code_key bytea, country text, languages text[],
  test_code text, number_type text default null
)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
  v_otp platform.otp_transaction;
  v_decision platform.send_decision;
begin
  perform private.remember_phone(send_phone_change.account_id, send_phone_change.phone, null, clock_timestamp());
  if send_phone_change.test_code is not null then
    v_otp := private.store_test_otp(
      send_phone_change.phone, 'PHONE_CHANGE', send_phone_change.test_code, send_phone_change.code_key, send_phone_change.account_id
    );
    return row(null, v_otp.id, v_otp.expires_at, null)::api.otp_answer;
  end if;

  v_decision := private.decide_send(
    send_phone_change.phone, send_phone_change.country, 'PHONE_CHANGE', send_phone_change.client, false, send_phone_change.counted_at,
    send_phone_change.number_type
  );
  v_answer.error := private.fraud_error(v_decision);
  if v_answer.error is distinct from null then
    perform private.uncount_send(send_phone_change.phone, 'PHONE_CHANGE', send_phone_change.counted_at);
    perform private.record_send(v_decision, null);
    return v_answer;
  end if;
  v_otp := private.queue_otp(
    send_phone_change.phone, 'PHONE', 'PHONE_CHANGE', true, send_phone_change.counted_at, send_phone_change.languages, null,
    send_phone_change.account_id
  );
  perform private.record_send(v_decision, v_otp.id);
  return row(null, v_otp.id, v_otp.expires_at, private.setting_integer('OTP_SEND_TIMEOUT_SECONDS'))::api.otp_answer;
end
$$;

comment on function private.send_phone_change(uuid, text, timestamptz, text, bytea, text, text[], text, text) is
$$Makes and queues the code for an account that changes to a phone, unless a fraud rule refuses it; for a test number it stores the fixed
code. account_id: the account that changes. phone: the new one, E.164. counted_at: the moment that the limits counted.
client, code_key, country, languages, number_type: as api.send_otp. test_code: private.test_code of the phone, read before the limits counted; the caller
then holds the phone's row of private.verification_state. Errors: RATE_LIMIT_EXCEEDED (the fraud rules in mode "enforce").$$;
