create or replace function private.explain_guesses(identifier_type text, identifier text)
returns setof platform.delivery_event
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_lifetime interval := private.setting_period('OTP_TTL_SECONDS');
  v_count private.guess_count;
  v_attempt private.code_attempt;
  v_otp platform.otp_transaction;
begin
  for v_count in
    select g.* from private.guess_count g
    where g.identifier_type = explain_guesses.identifier_type and g.identifier = explain_guesses.identifier
    order by g.purpose, g.account_id
  loop
    v_attempt := private.attempt_counted(v_count);
    v_otp := private.current_otp(v_attempt);
    continue when v_count.first_guess_at + v_lifetime <= clock_timestamp();
    if v_otp.id is null then
      return next row(
        v_count.first_guess_at, format('Wrong codes for %s were typed, while there was no code: %s.', v_count.purpose, v_count.guesses),
        null, 'the first of them was typed then'
      )::platform.delivery_event;
    end if;
    if private.guesses_are_spent(v_attempt, v_otp) then
      return next row(
        clock_timestamp(), format('Every %s code is refused now, the right one too (MAX_ATTEMPTS_REACHED).', v_count.purpose), v_otp.id,
        format('until %s, or until a new code is sent', private.written_time(v_count.first_guess_at + v_lifetime))
      )::platform.delivery_event;
    end if;
  end loop;
end
$$;

comment on function private.explain_guesses(text, text) is
$$The wrong codes that count now without a code to guess, and the purposes whose codes are blocked by them, as events.
identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email.$$;
