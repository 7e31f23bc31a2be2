create or replace function private.count_guess(
  identifier_type text, identifier text, purpose text, account_id uuid, otp platform.otp_transaction, by_known_client boolean
)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  -- Earlier guesses count no more: they were at another code, or are too old.
  v_since timestamptz := greatest(otp.current_since, v_now - private.setting_seconds('OTP_TTL_SECONDS'));
begin
  insert into private.guess_count as g (identifier_type, identifier, purpose, account_id, guesses, first_guess_at)
  values (count_guess.identifier_type, count_guess.identifier, count_guess.purpose, count_guess.account_id, 1, v_now)
  on conflict on constraint guess_count_key do update set
    guesses = case when g.first_guess_at >= v_since then g.guesses + 1 else 1 end,
    first_guess_at = case when g.first_guess_at >= v_since then g.first_guess_at else v_now end;

  if otp.id is not null then
    update platform.otp_transaction o set attempts = o.attempts + 1 where o.id = otp.id;
  else
    -- As much work as with a code: otherwise the response time would show that there is none.
    update private.guess_count g
    set guesses = g.guesses
    where g.identifier_type = count_guess.identifier_type
      and g.identifier = count_guess.identifier
      and g.purpose = count_guess.purpose
      and g.account_id is not distinct from count_guess.account_id;
  end if;
  perform private.count_failure(count_guess.identifier_type, count_guess.identifier, count_guess.by_known_client);
end
$$;

comment on function private.count_guess(text, text, text, uuid, platform.otp_transaction, boolean) is
$$Counts a wrong code: against the current one-time password or, where there is none, against its absence, and among the failures in a row.
The caller holds the identifier's row of private.verification_state. identifier_type: PHONE or EMAIL. identifier: E.164 or
lower-cased email. purpose: of the code. account_id: as private.current_otp.
otp: its result for the same parameters. by_known_client: private.is_known_client.$$;
