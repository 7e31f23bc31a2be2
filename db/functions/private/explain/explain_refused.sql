create or replace function private.explain_refused(event platform.event)
returns platform.delivery_event
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_purpose text := event.data ->> 'purpose';
  v_by text := event.data ->> 'by';
  v_what text;
  v_advice text;
begin
  case event.type
    when 'login.refused' then
      v_what := case v_by
        when 'password' then 'The password was refused: it is wrong, or no account has this phone or email.'
        when 'factor' then 'The code of a second factor was wrong.'
        else 'The passkey was refused: it is unknown or a copy, its signature is wrong, its challenge was over, or its account cannot be signed in to.'
      end;
      v_advice := case v_by
        when 'password' then 'whoever has forgotten it resets it'
        when 'factor' then 'the clock of the app may be wrong'
        else 'the user tries again, or signs in another way'
      end;
    when 'otp.refused' then
      v_what := format('The code for %s was wrong, or there was none.', v_purpose);
      v_advice := 'the user types the latest code, or requests one';
    when 'otp.blocked' then
      v_what := format('It was the last wrong code that %s admits: the right one is refused, too.', v_by);
      v_advice := case v_by
        when 'OTP_MAX_ATTEMPTS' then 'the user requests a new code'
        else 'the block ends by itself after a day, or by clear_limits'
      end;
    when 'otp.send_failed' then
      v_what := format(case event.data ->> 'outcome'
        when 'uncertain' then 'No vendor confirmed the message with the code for %s: it may have been sent.'
        when 'cancelled' then 'No vendor confirmed the message with the code for %s in time: its code is void, even if it arrives.'
        else 'The message with the code for %s was not sent.'
      end, v_purpose);
      v_advice := 'the attempts say why, and npm run explain of the phone the rest';
    when 'limit.exceeded' then
      v_what := format('The limit %s was reached: %s requests in %s seconds.', event.data ->> 'policy', event.data ->> 'requests', event.data ->> 'seconds');
      v_advice := 'it refused until ' || private.written_time((event.data ->> 'blocked_until')::timestamptz);
    when 'session.reuse_detected' then
      v_what := 'A refresh token was used that a newer one had replaced: it was copied, or the client lost the newer one. '
        || case when (event.data ->> 'is_revoked')::boolean then 'The session was revoked.' else 'Only this request was refused (REFRESH_REUSE_POLICY).' end;
      v_advice := 'session ' || event.session_id || case when (event.data ->> 'is_revoked')::boolean then '; the user signs in again' else '' end;
    when 'factor.locked' then
      v_what := format('The account''s second factors were locked after %s wrong codes in a row.', private.most_factor_failures());
      v_advice := 'unlock_factors opens them, or a sign-in by a passkey';
  end case;
  return row(
    event.at, v_what, (event.data ->> 'otp_id')::uuid,
    concat_ws('; ', v_advice, coalesce(private.explain_account(event.user_id), 'no account'), 'client ' || event.client)
  )::platform.delivery_event;
end
$$;

comment on function private.explain_refused(platform.event) is
$$An event of private.refusal_types() in plain words, with what to do and the state of its account now.$$;
