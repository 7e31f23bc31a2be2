create or replace function private.guesses_are_spent(attempt private.code_attempt, otp platform.otp_transaction)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := private.setting_integer('OTP_MAX_ATTEMPTS');
begin
  -- The row's own count limits a live code even when a changed setting has ended the window.
  if otp.attempts >= v_most and otp.verified_at is null and otp.expires_at > clock_timestamp() then
    return true;
  end if;
  return exists (
    select
    from private.guess_count g
    where g.identifier_type = attempt.identifier_type and g.identifier = attempt.identifier and g.purpose = attempt.purpose
      and g.account_id is not distinct from attempt.account_id
      and (otp.current_since > g.first_guess_at) is not true
      and g.guesses >= v_most
      and g.first_guess_at + private.setting_period('OTP_TTL_SECONDS') > clock_timestamp()
  );
end
$$;

comment on function private.guesses_are_spent(private.code_attempt, platform.otp_transaction) is
$$Whether OTP_MAX_ATTEMPTS wrong codes were tried for an identifier and purpose, within OTP_TTL_SECONDS of the first and since the
latest code was delivered. The same for a live code, an expired one and none, so that a guesser learns nothing. attempt: its code may be
null. otp: private.current_otp of it.$$;
