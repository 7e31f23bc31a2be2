create or replace function private.explain_failures(identifier_type text, identifier text)
returns setof platform.delivery_event
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select
    clock_timestamp(),
    format('Every code is refused now after %s wrong ones in a row (MAX_ATTEMPTS_REACHED).', s.failures),
    null::uuid,
    format(
      'until %s (OTP_FAILURES_IN_A_ROW); %s', private.written_time(s.failed_at + private.failures_block()),
      case when private.failures_are_spent(s.known_client_failures, s.known_client_failed_at) then 'from any client'
        else 'clients that the account logged in from lately may still type the right one' end
    )
  from private.verification_state s
  where s.identifier_type = explain_failures.identifier_type and s.identifier = explain_failures.identifier
    and private.failures_are_spent(s.failures, s.failed_at)
$$;

comment on function private.explain_failures(text, text) is
$$Whether wrong codes in a row block verifying now, as an event. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email.$$;
