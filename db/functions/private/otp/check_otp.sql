create or replace function private.check_otp(
  identifier_type text, identifier text, purpose text, code text, code_key bytea, client text,
  account_id uuid default null
)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
  v_rules private.rate_limit_rule[] := case when private.test_code(check_otp.identifier) is null then private.client_rules('OTP_VERIFY_PER_IP', check_otp.client)
    || private.rate_limit_rule(
      'OTP_VERIFY_LIMIT', private.counted_identifier(check_otp.identifier) || ' ' || check_otp.purpose || ' ' || check_otp.client
    ) else '{}' end;
  v_windows platform.rate_limit[];
  v_verdict private.rate_limit_verdict;
  v_spent boolean;
  v_state private.verification_state;
  v_is_known boolean;
  v_otp platform.otp_transaction := private.current_otp(
    check_otp.identifier_type, check_otp.identifier, check_otp.purpose, check_otp.account_id
  );
begin
  if check_otp.code !~ ('^[0-9]{' || private.setting_integer('OTP_LENGTH') || '}$') then
    v_answer.error := private.error('INVALID_OTP_FORMAT', jsonb_build_object('field', 'otp'));
    return v_answer;
  end if;

  -- Limits are read before anything is locked: a refused request costs a read.
  v_verdict := private.look_at_rate_limits(v_rules);
  v_spent := private.guesses_are_spent(
    check_otp.identifier_type, check_otp.identifier, check_otp.purpose, check_otp.account_id, v_otp
  );
  if v_verdict.wait is null and not v_spent then
    -- Parallel guesses run one after another from here on.
    v_state := private.lock_verification_state(check_otp.identifier_type, check_otp.identifier);
    v_windows := private.lock_rate_limits(v_rules);
    -- Read after the last wait: meanwhile a newer code may have been delivered, which replaces the one read before.
    v_otp := private.current_otp(check_otp.identifier_type, check_otp.identifier, check_otp.purpose, check_otp.account_id);
    v_spent := private.guesses_are_spent(
      check_otp.identifier_type, check_otp.identifier, check_otp.purpose, check_otp.account_id, v_otp
    );
    v_verdict := private.longest_wait(v_windows, v_rules);
    -- Spent guesses count against no limit.
    if v_verdict.wait is null and not v_spent then
      perform private.count_hits(v_windows, v_rules);
    end if;
  else
    select s.* into v_state from private.verification_state s
    where s.identifier_type = check_otp.identifier_type and s.identifier = check_otp.identifier;
  end if;

  v_is_known := private.is_known_client(check_otp.identifier, check_otp.client);
  if v_spent then
    v_answer.error := private.error('MAX_ATTEMPTS_REACHED');
  elsif v_verdict.wait is not null then
    v_answer.error := private.rate_limit_error(v_verdict);
  else
    v_answer := private.compare_code(v_otp, check_otp.code, check_otp.code_key);
    if (v_answer.error).code = 'INVALID_OTP' then
      perform private.count_guess(
        check_otp.identifier_type, check_otp.identifier, check_otp.purpose, check_otp.account_id, v_otp, v_is_known
      );
    end if;
  end if;
  return private.block_failures(v_answer, v_state, v_is_known);
end
$$;

comment on function private.check_otp(text, text, text, text, bytea, text, uuid) is
$$Checks a code against the current one-time password. A right one is left to the caller, which consumes it (private.consume_otp) or
counts a guess (private.count_guess). To a caller without the code the answers reveal nothing: not whether there is one, how old it is,
nor whether it was used. Failures are returned, so that what they count is committed.
identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code. code: as typed. code_key: 32 bytes.
client: address as limits count it. account_id: the caller's, for a PHONE_CHANGE code, which is valid for no other account; null for other codes.
Verify limits do not apply to a test number. Errors, in this order: INVALID_OTP_FORMAT, MAX_ATTEMPTS_REACHED, RATE_LIMIT_EXCEEDED,
OTP_ALREADY_USED and OTP_EXPIRED (the right code only), INVALID_OTP (one attempt spent).
Specification: Authentication 8, Limits; NIST SP 800-63B-4 sections 3.1.3 and 3.2.2.$$;
