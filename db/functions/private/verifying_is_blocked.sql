create or replace function private.verifying_is_blocked(
  identifier_type text, identifier text, purpose text, by_known_client boolean
)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state private.verification_state;
begin
  select s.* into v_state
  from private.verification_state s
  where s.identifier_type = verifying_is_blocked.identifier_type and s.identifier = verifying_is_blocked.identifier;

  return case
    when by_known_client then private.failures_are_spent(v_state.known_client_failures, v_state.known_client_failed_at)
    else private.failures_are_spent(v_state.failures, v_state.failed_at)
  end or private.guesses_are_spent(
    verifying_is_blocked.identifier_type, verifying_is_blocked.identifier, verifying_is_blocked.purpose
  );
end
$$;

comment on function private.verifying_is_blocked(text, text, text, boolean) is
$$Whether a code is not looked at any more, not even the right one: too many wrong ones at this code, or in a row.
by_known_client: private.is_known_client; strangers' failures in a row do not end verifying for the owner's clients.
identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code.$$;
revoke all on function private.verifying_is_blocked(text, text, text, boolean) from public;
