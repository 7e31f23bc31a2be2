create or replace function private.send_test_otp(request private.send_request, code text)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
  v_rules private.rate_limit_rule[] := private.client_rules('OTP_SEND_PER_IP', request.client);
begin
  v_answer.error := private.rate_limit_error(private.look_at_rate_limits(v_rules));
  if v_answer.error is null then
    -- Locked before the limit, as everywhere; a refused request has locked nothing.
    perform private.lock_verification_state('PHONE', request.identifier);
    v_answer.error := private.rate_limit_error(private.take_rate_limits(v_rules));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.otp_answer(private.store_test_otp(request, send_test_otp.code));
end
$$;

comment on function private.send_test_otp(private.send_request, text) is
$$Answers the request of a code for a test number: stores the fixed code, and sends nothing. It counts for the client, which could otherwise make
the service write without end, and not for the number, which many testers may share. code: private.test_code.
Errors: RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IP).$$;
