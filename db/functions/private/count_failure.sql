create or replace function private.count_failure(identifier_type text, identifier text, by_known_client boolean)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  -- A known client counts among all clients too, otherwise the hundredth failure would reveal whether a client is known.
  -- The row is always written, so that the time is the same.
  update private.verification_state s
  set failures = private.next_failure(s.failures, s.failed_at),
      failed_at = case when private.failures_are_spent(s.failures, s.failed_at) then s.failed_at else clock_timestamp() end,
      known_client_failures = case
        when count_failure.by_known_client then private.next_failure(s.known_client_failures, s.known_client_failed_at)
        else s.known_client_failures
      end,
      known_client_failed_at = case
        when count_failure.by_known_client and not private.failures_are_spent(s.known_client_failures, s.known_client_failed_at)
          then clock_timestamp()
        else s.known_client_failed_at
      end
  where s.identifier_type = count_failure.identifier_type and s.identifier = count_failure.identifier
$$;

comment on function private.count_failure(text, text, boolean) is
$$Counts a wrong code among the failures in a row of an identifier. by_known_client: private.is_known_client; counted separately as well.
The caller holds the identifier's row of private.verification_state.$$;
