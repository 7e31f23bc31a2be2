create or replace function private.send_test_otp(phone text, purpose text, code text, client text, code_key bytea)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
  v_otp platform.otp_transaction;
  v_rules private.rate_limit_rule[] := private.client_rules('OTP_SEND_PER_IP', send_test_otp.client);
begin
  v_answer.error := private.rate_limit_error(private.look_at_rate_limits(v_rules));
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  -- Locked before the limit, as everywhere; a refused request has locked nothing.
  perform private.lock_verification_state('PHONE', send_test_otp.phone);
  v_answer.error := private.rate_limit_error(private.take_rate_limits(v_rules));
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_otp := private.store_test_otp(send_test_otp.phone, send_test_otp.purpose, send_test_otp.code, send_test_otp.code_key);
  v_answer.otp_id := v_otp.id;
  v_answer.expires_at := v_otp.expires_at;
  return v_answer;
end
$$;

comment on function private.send_test_otp(text, text, text, text, bytea) is
$$Answers the request of a code for a test number: stores the fixed code, and sends nothing. It counts for the client, which could otherwise make
the service write without end, and not for the number, which many testers may share. phone: E.164. code: private.test_code.
client: address as limits count it. code_key: 32 bytes. Errors: RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IP).$$;
