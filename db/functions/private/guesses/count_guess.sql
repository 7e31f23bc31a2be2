create or replace function private.count_guess(attempt private.code_attempt, otp platform.otp_transaction)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  -- Earlier guesses count no more: they were at another code, or are too old.
  v_since timestamptz := greatest(otp.current_since, v_now - private.setting_period('OTP_TTL_SECONDS'));
  v_guesses integer;
  v_state private.verification_state;
begin
  insert into private.guess_count as g (identifier_type, identifier, purpose, account_id, guesses, first_guess_at)
  values (attempt.identifier_type, attempt.identifier, attempt.purpose, attempt.account_id, 1, v_now)
  on conflict on constraint guess_count_key do update set
    guesses = case when g.first_guess_at >= v_since then g.guesses + 1 else 1 end,
    first_guess_at = case when g.first_guess_at >= v_since then g.first_guess_at else v_now end
  returning g.guesses into v_guesses;

  if otp.id is not null then
    update platform.otp_transaction o set attempts = o.attempts + 1 where o.id = otp.id;
  else
    -- As much work as with a code: otherwise the response time would show that there is none.
    update private.guess_count g
    set guesses = g.guesses
    where g.identifier_type = attempt.identifier_type and g.identifier = attempt.identifier and g.purpose = attempt.purpose
      and g.account_id is not distinct from attempt.account_id;
  end if;
  v_state := private.count_failure(attempt);
  perform private.record_guess(
    attempt, v_guesses = private.setting_integer('OTP_MAX_ATTEMPTS'), v_state.failures = private.setting_integer('OTP_FAILURES_IN_A_ROW')
  );
end
$$;

comment on function private.count_guess(private.code_attempt, platform.otp_transaction) is
$$Counts a wrong code: against the current one-time password or, where there is none, against its absence, and among the failures in a row.
The caller holds the identifier's row of private.verification_state. otp: private.current_otp of the attempt.$$;
