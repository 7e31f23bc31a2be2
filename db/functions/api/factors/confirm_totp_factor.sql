create or replace function api.confirm_totp_factor(
  session_id uuid, user_id uuid, factor_id uuid, code text, code_key bytea, client text, languages text[] default '{}',
  factor_ids uuid[] default null, factor_secrets bytea[] default null
)
returns api.recovery_codes_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt private.factor_attempt := row(
    confirm_totp_factor.code, null, confirm_totp_factor.code_key, confirm_totp_factor.factor_ids, confirm_totp_factor.factor_secrets
  )::private.factor_attempt;
  v_answer api.recovery_codes_answer;
  v_windows platform.rate_limit[];
  v_account "user".account;
  v_factors "user".factor[] := private.unconfirmed_factor(confirm_totp_factor.user_id, confirm_totp_factor.factor_id);
begin
  v_answer.error := coalesce(
    private.user_session_error(confirm_totp_factor.session_id, confirm_totp_factor.user_id),
    private.step_up_error(confirm_totp_factor.session_id, confirm_totp_factor.user_id),
    private.factor_found_error(v_factors),
    private.factor_secrets_error(v_factors, v_attempt)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_windows := private.lock_rate_limits(private.factor_rules(confirm_totp_factor.user_id));
  v_account := private.lock_account_to_tell(confirm_totp_factor.user_id);
  -- Read again: while this waited, another request may have confirmed or removed it, or ended the session.
  v_factors := private.unconfirmed_factor(confirm_totp_factor.user_id, confirm_totp_factor.factor_id);
  v_answer.error := coalesce(
    private.user_session_error(confirm_totp_factor.session_id, confirm_totp_factor.user_id),
    private.step_up_error(confirm_totp_factor.session_id, confirm_totp_factor.user_id),
    private.factor_found_error(v_factors),
    private.factor_failures_error(v_account, v_windows)
  );
  if v_answer.error is null and private.use_totp(v_factors, v_attempt) is null then
    v_answer.error := private.count_factor_failure(v_account.id, v_windows);
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if not private.has_factor(v_account.id) then
    v_answer.recovery_codes := private.make_recovery_codes(v_account.id, confirm_totp_factor.code_key);
  end if;
  update "user".factor f set confirmed_at = clock_timestamp(), last_used_at = null where f.id = confirm_totp_factor.factor_id;
  perform private.prove_factor(confirm_totp_factor.session_id, array['otp']);
  perform private.tell_phone(v_account, 'FACTORS_CHANGED', confirm_totp_factor.languages, confirm_totp_factor.client);
  return v_answer;
end
$$;

comment on function api.confirm_totp_factor(uuid, uuid, uuid, text, bytea, text, text[], uuid[], bytea[]) is
$$POST /api/v1/auth/factors/totp/verify: confirms an authenticator app by its first code; the session is aal2 from then on. The account's first
factor brings recovery codes, and the phone is told. client, languages: as private.queue_notice. session_id, user_id: claims sid and sub of a verified access token. code: six digits. code_key, factor_ids,
factor_secrets: as private.factor_attempt. Errors: those of private.user_session_error, private.step_up_error, private.factor_found_error and
private.factor_failures_error; INVALID_OTP.$$;
grant execute on function api.confirm_totp_factor(uuid, uuid, uuid, text, bytea, text, text[], uuid[], bytea[]) to latchkey_server;
