create or replace function private.check_otp(attempt private.code_attempt)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
  v_rules private.rate_limit_rule[] := private.verify_rules(attempt);
  v_windows platform.rate_limit[];
  v_verdict private.rate_limit_verdict;
  v_state private.verification_state;
  v_is_known boolean;
  v_otp platform.otp_transaction := private.current_otp(attempt);
  v_spent boolean := private.guesses_are_spent(attempt, v_otp);
begin
  if attempt.code !~ ('^[0-9]{' || private.setting_integer('OTP_LENGTH') || '}$') then
    v_answer.error := private.error('INVALID_OTP_FORMAT', jsonb_build_object('field', 'otp'));
    return v_answer;
  end if;

  -- Limits are read before anything is locked: a refused request costs a read.
  v_verdict := private.look_at_rate_limits(v_rules);
  if v_verdict.wait is null and not v_spent then
    -- Parallel guesses run one after another from here on.
    v_state := private.lock_verification_state(attempt.identifier_type, attempt.identifier);
    v_windows := private.lock_rate_limits(v_rules);
    -- Read after the last wait: meanwhile a newer code may have been delivered, which replaces the one read before.
    v_otp := private.current_otp(attempt);
    v_spent := private.guesses_are_spent(attempt, v_otp);
    v_verdict := private.longest_wait(v_windows, v_rules);
    -- Spent guesses count against no limit.
    if v_verdict.wait is null and not v_spent then
      perform private.count_hits(v_windows, v_rules);
    end if;
  else
    select s.* into v_state from private.verification_state s
    where s.identifier_type = attempt.identifier_type and s.identifier = attempt.identifier;
  end if;

  v_is_known := private.is_known_client(attempt.identifier, attempt.client);
  if v_spent then
    v_answer.error := private.error('MAX_ATTEMPTS_REACHED');
  elsif v_verdict.wait is not null then
    v_answer.error := private.rate_limit_error(v_verdict);
  else
    v_answer := private.compare_code(v_otp, attempt);
    -- A replaced code is no guess: whoever types it has received it.
    if (v_answer.error).code = 'INVALID_OTP' and (v_answer.error).details is null then
      perform private.count_guess(attempt, v_otp);
    end if;
  end if;
  return private.block_failures(v_answer, v_state, v_is_known);
end
$$;

comment on function private.check_otp(private.code_attempt) is
$$Checks a code against the current one-time password, and counts a wrong one. A right one is left to the caller, which consumes it
(private.consume_otp) or refuses it (private.refuse_code). To a caller without the code the answers reveal nothing: not whether there is
one, how old it is, nor whether it was used. Failures are returned, so that what they count is committed.
Errors, in this order: INVALID_OTP_FORMAT, MAX_ATTEMPTS_REACHED, RATE_LIMIT_EXCEEDED, OTP_ALREADY_USED and OTP_EXPIRED (the right code
only), INVALID_OTP (details.reason replaced: it was right until a newer one was delivered; otherwise one attempt is spent).
Specification: Authentication 8, Limits; NIST SP 800-63B-4 sections 3.1.3 and 3.2.2.$$;
