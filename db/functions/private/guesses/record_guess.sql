create or replace function private.record_guess(attempt private.code_attempt, ends_guesses boolean, ends_failures boolean)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Looked up for every phone alike.
  v_user_id uuid := coalesce(attempt.account_id, (private.usable_account(attempt.identifier)).id);
  v_data jsonb := jsonb_build_object('purpose', attempt.purpose);
begin
  perform private.record_event('otp.refused', v_user_id, null, v_data, attempt.client);
  if record_guess.ends_guesses or record_guess.ends_failures then
    perform private.record_event(
      'otp.blocked', v_user_id, null,
      v_data || jsonb_build_object('by', case when record_guess.ends_failures then 'OTP_FAILURES_IN_A_ROW' else 'OTP_MAX_ATTEMPTS' end), attempt.client
    );
  end if;
end
$$;

comment on function private.record_guess(private.code_attempt, boolean, boolean) is
$$Records a wrong code, and that it was the last one: the limits of verifying bound how many there are. ends_guesses: OTP_MAX_ATTEMPTS wrong codes
were tried. ends_failures: OTP_FAILURES_IN_A_ROW. Null: no.$$;
