create or replace function private.hide_known_client(
  answer api.otp_answer, identifier_type text, identifier text, by_known_client boolean
)
returns api.otp_answer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_blocked api.otp_answer;
begin
  if not by_known_client or answer.error_code is null
    or answer.error_code not in ('INVALID_OTP', 'RATE_LIMIT_EXCEEDED')
    or not exists (
      select
      from private.verification_state s
      where s.identifier_type = hide_known_client.identifier_type
        and s.identifier = hide_known_client.identifier
        and private.failures_are_spent(s.failures, s.failed_at)
    ) then
    return answer;
  end if;
  v_blocked.error_code := 'MAX_ATTEMPTS_REACHED';
  return v_blocked;
end
$$;

comment on function private.hide_known_client(api.otp_answer, text, text, boolean) is
$$Answers a wrong code as every stranger is answered while strangers' failures in a row have ended verifying: only the right code is
exempt, so nobody who shares an address learns that the account logged in from it. answer: of the check so far.
by_known_client: private.is_known_client.$$;
revoke all on function private.hide_known_client(api.otp_answer, text, text, boolean) from public;
