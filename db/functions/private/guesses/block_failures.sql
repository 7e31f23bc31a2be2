create or replace function private.block_failures(
  answer api.otp_answer, state private.verification_state, by_known_client boolean
)
returns api.otp_answer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_blocked api.otp_answer;
begin
  if not private.failures_are_spent(state.failures, state.failed_at)
    or block_failures.by_known_client and not private.failures_are_spent(state.known_client_failures, state.known_client_failed_at)
      and coalesce((answer.error).code, '') not in ('INVALID_OTP', 'RATE_LIMIT_EXCEEDED') then
    return answer;
  end if;
  v_blocked.error := private.error('MAX_ATTEMPTS_REACHED');
  return v_blocked;
end
$$;

comment on function private.block_failures(api.otp_answer, private.verification_state, boolean) is
$$The answer to a verification after too many wrong codes in a row: MAX_ATTEMPTS_REACHED, except for the right code from a client that the
account logged in from. It comes last, after the same checks and counting for every client, so that neither answers nor timing reveal
which clients those are. answer: of the check. state: as it was before the check. by_known_client: private.is_known_client.$$;
