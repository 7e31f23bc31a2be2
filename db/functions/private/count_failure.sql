create or replace function private.count_failure(identifier_type text, identifier text, by_known_client boolean)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most jsonb := private.setting('OTP_FAILURES_IN_A_ROW');
  v_now timestamptz := clock_timestamp();
begin
  -- Whoever is counted here may guess: a spent count is one whose day is over, and begins again.
  update private.verification_state s
  set failures = case
        when by_known_client then s.failures
        when v_most <> '"off"' and s.failures >= v_most::integer then 1
        else s.failures + 1
      end,
      failed_at = case when by_known_client then s.failed_at else v_now end,
      known_client_failures = case
        when not by_known_client then s.known_client_failures
        when v_most <> '"off"' and s.known_client_failures >= v_most::integer then 1
        else s.known_client_failures + 1
      end,
      known_client_failed_at = case when by_known_client then v_now else s.known_client_failed_at end
  where s.identifier_type = count_failure.identifier_type and s.identifier = count_failure.identifier;
end
$$;

comment on function private.count_failure(text, text, boolean) is
$$Counts a wrong code among the failures in a row of an identifier. by_known_client: private.is_known_client, counted apart.
The caller holds the identifier's row of private.verification_state.$$;
revoke all on function private.count_failure(text, text, boolean) from public;
