create or replace function private.guesses_are_spent(identifier_type text, identifier text, purpose text, account_id uuid default null)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := private.setting_integer('OTP_MAX_ATTEMPTS');
  v_otp platform.otp_transaction := private.current_otp(
    guesses_are_spent.identifier_type, guesses_are_spent.identifier, guesses_are_spent.purpose, guesses_are_spent.account_id
  );
begin
  -- The row's own count limits a live code even when a changed setting has ended the window.
  if v_otp.attempts >= v_most and v_otp.verified_at is null and v_otp.expires_at > clock_timestamp() then
    return true;
  end if;
  return exists (
    select
    from private.guess_count g
    where g.identifier_type = guesses_are_spent.identifier_type
      and g.identifier = guesses_are_spent.identifier
      and g.purpose = guesses_are_spent.purpose
      and g.account_id is not distinct from guesses_are_spent.account_id
      and (v_otp.current_since > g.first_guess_at) is not true
      and g.guesses >= v_most
      and g.first_guess_at + private.setting_seconds('OTP_TTL_SECONDS') > clock_timestamp()
  );
end
$$;

comment on function private.guesses_are_spent(text, text, text, uuid) is
$$Whether OTP_MAX_ATTEMPTS wrong codes were tried for an identifier and purpose, within OTP_TTL_SECONDS of the first and since the
latest code was delivered. The same for a live code, an expired one and none, so that a guesser learns nothing.
identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code. account_id: as private.current_otp.$$;
