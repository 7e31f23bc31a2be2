create or replace function api.request_password_reset(
  phone text, client text, code_key bytea, country text, languages text[] default '{}', number_type text default null,
  email text default null, proof_digest bytea default null, proof_is_good boolean default null
)
returns api.reset_request_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_request private.send_request := row(
    coalesce(request_password_reset.phone, request_password_reset.email), case when request_password_reset.phone is null then 'EMAIL' else 'PHONE' end,
    'PASSWORD_RESET', false, null, request_password_reset.languages, null, null,
    request_password_reset.client, request_password_reset.country, request_password_reset.number_type, request_password_reset.code_key
  )::private.send_request;
  v_answer api.reset_request_answer;
  v_test_code text := private.test_code(v_request.identifier);
  v_verdict private.rate_limit_verdict;
  v_sent api.otp_answer;
  v_rules private.rate_limit_rule[] := private.client_rules('OTP_SEND_PER_IP', request_password_reset.client)
    || private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', private.counted_identifier(v_request.identifier));
begin
  v_answer.error := private.sign_in_name_error(request_password_reset.phone, request_password_reset.email);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if v_test_code is not null then
    perform private.send_test_otp(v_request, v_test_code);
    return v_answer;
  end if;
  v_answer.error := private.proof_error(
    v_request, v_rules, request_password_reset.proof_digest, request_password_reset.proof_is_good
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_verdict := private.take_rate_limits(v_rules);
  if v_verdict.wait is not null then
    perform private.record_limit(v_verdict);
  else
    v_request.counted_at := v_verdict.taken_at;
    v_sent := private.send_code(v_request);
    v_answer.otp_id := v_sent.otp_id;
    -- A limit or a fraud rule is not told; the hook's refusal is, because it is the same for every phone with and
    -- without an account.
    if (v_sent.error).code = 'INVALID_REQUEST' then
      v_answer.error := v_sent.error;
    end if;
  end if;
  return v_answer;
end
$$;

comment on function api.request_password_reset(text, text, bytea, text, text[], text, text, bytea, boolean) is
$$POST /api/v1/auth/reset-password: sends a PASSWORD_RESET code if the phone, or the email, has an account. This function reads no account: it makes the
same record and job for every phone, and the worker drops those without an account, so neither the answer nor its time nor the queue
reveals who is registered. Over a limit, or refused by a fraud rule, nothing is sent and a live code stays valid. phone: E.164, or null.
email: lower-cased, in its place; or null. client: address as limits count it. code_key: as private.hash_code, for a test number. country: of the phone, as platform.send_decision has it.
languages, number_type, proof_digest, proof_is_good: as api.send_otp. Result: otp_id, by which the server's log and the worker's can be followed; no client sees it. Errors: INVALID_IDENTIFIER (details.field phone or email), INVALID_REQUEST (details.reason not_enabled, refused_by_hook, proof_required).$$;
grant execute on function api.request_password_reset(text, text, bytea, text, text[], text, text, bytea, boolean) to latchkey_server;
