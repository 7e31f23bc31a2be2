create or replace function private.count_failure(attempt private.code_attempt)
returns private.verification_state
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state private.verification_state;
  v_is_known boolean := private.is_known_client(attempt.identifier, attempt.client);
begin
  -- A known client counts among all clients too, otherwise the hundredth failure would reveal whether a client is
  -- known. The row is always written, so that the time is the same.
  update private.verification_state s
  set failures = private.next_failure(s.failures, s.failed_at),
      failed_at = case when private.failures_are_spent(s.failures, s.failed_at) then s.failed_at else clock_timestamp() end,
      known_client_failures = case
        when v_is_known then private.next_failure(s.known_client_failures, s.known_client_failed_at)
        else s.known_client_failures
      end,
      known_client_failed_at = case
        when v_is_known and not private.failures_are_spent(s.known_client_failures, s.known_client_failed_at) then clock_timestamp()
        else s.known_client_failed_at
      end
  where s.identifier_type = attempt.identifier_type and s.identifier = attempt.identifier
  returning s.* into v_state;
  return v_state;
end
$$;

comment on function private.count_failure(private.code_attempt) is
$$Counts a wrong code among the failures in a row of an identifier, and separately where the account logged in from the client
(private.is_known_client). The caller holds the identifier's row of private.verification_state. Result: that row, as it is
now.$$;
