create or replace function api.request_password_reset(phone text, client text, code_key bytea, languages text[] default '{}')
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_verdict private.rate_limit_verdict;
  v_test_code text := private.test_code(request_password_reset.phone);
begin
  if v_test_code is not null then
    perform private.store_test_otp(request_password_reset.phone, 'PASSWORD_RESET', v_test_code, request_password_reset.code_key);
    return row(null)::api.answer;
  end if;
  v_verdict := private.take_rate_limits(array[
    private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', request_password_reset.phone),
    private.rate_limit_rule('OTP_SEND_PER_IP', request_password_reset.client)
  ]);
  if v_verdict.wait is null then
    perform private.queue_otp(
      request_password_reset.phone, 'PHONE', 'PASSWORD_RESET', false, v_verdict.taken_at, request_password_reset.languages
    );
  end if;
  return row(null)::api.answer;
end
$$;

comment on function api.request_password_reset(text, text, bytea, text[]) is
$$POST /api/v1/auth/reset-password: sends a PASSWORD_RESET code if the phone has an account. This function reads no account: it makes the
same record and job for every phone, and the worker drops those without an account, so neither the answer nor its time nor the queue
reveals who is registered. Over a limit nothing is sent and a live code stays valid. phone: E.164.
client: address as limits count it. code_key: 32 bytes, for a test number. languages: as api.send_otp. Errors: none.$$;
grant execute on function api.request_password_reset(text, text, bytea, text[]) to latchkey_server;
