create or replace function private.count_guess(
  identifier_type text, identifier text, purpose text, client text, account_id uuid default null
)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_otp platform.otp_transaction := private.current_otp(
    count_guess.identifier_type, count_guess.identifier, count_guess.purpose, count_guess.account_id
  );
begin
  update private.guess_count g
  set guesses = g.guesses + 1
  where g.identifier_type = count_guess.identifier_type
    and g.identifier = count_guess.identifier
    and g.purpose = count_guess.purpose
    and g.account_id is not distinct from count_guess.account_id
    and (v_otp.current_since > g.first_guess_at) is not true
    and g.first_guess_at + private.setting_seconds('OTP_TTL_SECONDS') > v_now;
  if not found then
    insert into private.guess_count (identifier_type, identifier, purpose, account_id, guesses, first_guess_at)
    values (count_guess.identifier_type, count_guess.identifier, count_guess.purpose, count_guess.account_id, 1, v_now)
    on conflict on constraint guess_count_key do update
    set guesses = excluded.guesses, first_guess_at = excluded.first_guess_at;
  end if;

  if v_otp.id is not null then
    update platform.otp_transaction o set attempts = o.attempts + 1 where o.id = v_otp.id;
  else
    -- As much work as with a code: otherwise the response time would show that there is none.
    update private.guess_count g
    set guesses = g.guesses
    where g.identifier_type = count_guess.identifier_type
      and g.identifier = count_guess.identifier
      and g.purpose = count_guess.purpose
      and g.account_id is not distinct from count_guess.account_id;
  end if;
  perform private.count_failure(
    count_guess.identifier_type, count_guess.identifier, private.is_known_client(count_guess.identifier, count_guess.client)
  );
end
$$;

comment on function private.count_guess(text, text, text, text, uuid) is
$$Counts a wrong code: against the current one-time password or, where there is none, against its absence, and among the failures in a row.
The caller holds the identifier's row of private.verification_state. identifier_type: PHONE or EMAIL. identifier: E.164 or
lower-cased email. purpose: of the code. client: address as limits count it. account_id: as private.current_otp.$$;
