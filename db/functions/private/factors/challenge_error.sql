create or replace function private.challenge_error(challenge private.factor_challenge)
returns api.error
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most_attempts constant integer := 5;
begin
  return private.error(case
    when challenge.id is null then 'INVALID_OTP'
    when challenge.attempts >= c_most_attempts then 'MAX_ATTEMPTS_REACHED'
  end);
end
$$;

comment on function private.challenge_error(private.factor_challenge) is
$$Why no answer of a challenge is compared; null where one is. challenge: of private.live_challenge.
Errors: INVALID_OTP (there is none: the answer of a wrong code, and counted against nothing); MAX_ATTEMPTS_REACHED.$$;
