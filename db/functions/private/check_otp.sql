create or replace function private.check_otp(phone text, purpose text, code text, code_key bytea, client text)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
  v_max_attempts integer := private.setting_integer('OTP_MAX_ATTEMPTS');
  v_rules private.rate_limit_rule[] := array[
    private.rate_limit_rule('OTP_VERIFY_LIMIT', check_otp.phone || ' ' || check_otp.purpose || ' ' || check_otp.client),
    private.rate_limit_rule('OTP_VERIFY_PER_IP', check_otp.client)
  ];
  v_otp platform.otp_transaction := private.current_otp(check_otp.phone, check_otp.purpose);
  v_verdict private.rate_limit_verdict;
  v_right boolean;
begin
  if check_otp.code !~ ('^[0-9]{' || private.setting_integer('OTP_LENGTH') || '}$') then
    v_answer.error_code := 'INVALID_OTP_FORMAT';
    v_answer.error_details := jsonb_build_object('field', 'otp');
    return v_answer;
  end if;

  -- Looked at before anything is locked: a refused request costs a read, and a blocked code stays blocked.
  v_verdict := private.look_at_rate_limits(v_rules);
  if v_verdict.wait is null and v_otp.attempts < v_max_attempts then
    -- The lock makes parallel guesses queue up here. It comes before the limits' locks, because an answer of
    -- MAX_ATTEMPTS_REACHED must count against no limit, and only the locked row tells whether it is due.
    select o.* into v_otp from platform.otp_transaction o where o.id = v_otp.id for update;
  end if;
  if v_otp.attempts >= v_max_attempts then
    v_answer.error_code := 'MAX_ATTEMPTS_REACHED';
    return v_answer;
  end if;
  if v_verdict.wait is null then
    v_verdict := private.take_rate_limits(v_rules);
  end if;
  if v_verdict.wait is not null then
    v_answer.error_code := 'RATE_LIMIT_EXCEEDED';
    v_answer.error_details := private.rate_limit_details(v_verdict);
    return v_answer;
  end if;

  v_right := coalesce(v_otp.code_hash = private.hash_code(v_otp.id, check_otp.code, check_otp.code_key), false);
  v_answer.otp_id := v_otp.id;
  v_answer.expires_at := v_otp.expires_at;
  v_answer.error_code := case
    when v_otp.id is null then 'INVALID_OTP'
    when v_right and v_otp.verified_at is not null then 'OTP_ALREADY_USED'
    when v_otp.expires_at <= clock_timestamp() then 'OTP_EXPIRED'
    when not v_right then 'INVALID_OTP'
  end;
  if v_answer.error_code = 'INVALID_OTP' then
    perform private.count_attempt(v_otp.id);
  end if;
  return v_answer;
end
$$;

comment on function private.check_otp(text, text, text, bytea, text) is
$$Checks a code against the current one-time password and leaves its row locked; the caller consumes it
(private.consume_otp) or counts an attempt (private.count_attempt). Failures are returned, so that what they count commits.
phone: E.164. purpose: SIGNUP or PASSWORD_RESET. code: as typed. code_key: 32 bytes. client: address as limits count it.
Errors, in this order: INVALID_OTP_FORMAT, MAX_ATTEMPTS_REACHED, RATE_LIMIT_EXCEEDED, INVALID_OTP (there is none),
OTP_ALREADY_USED, OTP_EXPIRED, INVALID_OTP (wrong: one attempt gone). Specification: Authentication 8, Limits.$$;
revoke all on function private.check_otp(text, text, text, bytea, text) from public;
