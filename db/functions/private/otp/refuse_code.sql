create or replace function private.refuse_code(attempt private.code_attempt)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.count_guess(attempt, private.current_otp(attempt));
  return private.error('INVALID_OTP');
end
$$;

comment on function private.refuse_code(private.code_attempt) is
$$Refuses a right code that opens nothing, such as one for a phone without an account, exactly as a wrong one: it is counted, and answered
INVALID_OTP. Called after private.check_otp, in its transaction.$$;
