create or replace function private.consume_otp(otp_id uuid)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- When the code arrived, not now: what it opened is stored already, and a story tells the cause before the effect.
  update platform.otp_transaction o set verified_at = greatest(statement_timestamp(), o.current_since)
  where o.id = consume_otp.otp_id and o.verified_at is null;

  -- Guesses stay counted: if a right code cleared them, a guesser would see that there was one.
  -- A block of strangers stays too: if it ended early, they would see that the account's own client verified.
  update private.verification_state s
  set failures = case when private.failures_are_spent(s.failures, s.failed_at) then s.failures else 0 end,
      known_client_failures = 0
  from platform.otp_transaction o
  where o.id = consume_otp.otp_id and s.identifier_type = o.identifier_type and s.identifier = o.identifier;

  perform private.verify_send(consume_otp.otp_id);
end
$$;

comment on function private.consume_otp(uuid) is
$$Marks a one-time password as used, when the statement that checks it began: it verifies once. Resets the identifier's failures in a row, and
counts the send as verified (private.verify_send).
otp_id: the row whose code private.check_otp found right.$$;
