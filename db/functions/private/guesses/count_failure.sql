create or replace function private.count_failure(identifier_type text, identifier text, by_known_client boolean)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := private.most_failures();
begin
  -- A known client counts among all clients too, otherwise the hundredth failure would reveal whether a client is
  -- known. The row is always written, so that the time is the same.
  update private.verification_state s
  set failures = private.next_failure(s.failures, s.failed_at, v_most),
      failed_at = case when private.failures_are_spent(s.failures, s.failed_at, v_most) then s.failed_at else clock_timestamp() end,
      known_client_failures = case
        when by_known_client then private.next_failure(s.known_client_failures, s.known_client_failed_at, v_most)
        else s.known_client_failures
      end,
      known_client_failed_at = case
        when by_known_client and not private.failures_are_spent(s.known_client_failures, s.known_client_failed_at, v_most)
          then clock_timestamp()
        else s.known_client_failed_at
      end
  where s.identifier_type = count_failure.identifier_type and s.identifier = count_failure.identifier;
end
$$;

comment on function private.count_failure(text, text, boolean) is
$$Counts a wrong code among the failures in a row of an identifier. by_known_client: private.is_known_client; counted separately as well.
The caller holds the identifier's row of private.verification_state.$$;
