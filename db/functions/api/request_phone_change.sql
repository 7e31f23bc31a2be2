create or replace function api.request_phone_change(
  session_id uuid, user_id uuid, new_phone text, password_prehash text, client text, code_key bytea, country text,
  languages text[] default '{}', foreign_prehash text default null, number_type text default null
)
returns api.otp_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_request private.send_request := row(
    request_phone_change.new_phone, 'PHONE', 'PHONE_CHANGE', true, null, request_phone_change.languages, null, null,
    request_phone_change.client, request_phone_change.country, request_phone_change.number_type, request_phone_change.code_key
  )::private.send_request;
  v_answer api.otp_answer;
  v_account "user".account;
  v_attempt private.password_attempt;
  v_rules private.rate_limit_rule[];
  v_check private.password_check;
  v_test_code text := private.test_code(request_phone_change.new_phone);
begin
  select a.* into v_account from "user".account a where a.id = request_phone_change.user_id;
  v_rules := private.login_rules(v_account.id) || private.client_rules('OTP_SEND_PER_IP', request_phone_change.client);
  if v_test_code is null then
    v_rules := v_rules || private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', request_phone_change.new_phone);
  end if;
  v_answer.error := coalesce(
    private.identifier_error('newPhone', request_phone_change.new_phone),
    private.caller_error(request_phone_change.session_id, request_phone_change.user_id),
    private.rate_limit_error(private.look_at_rate_limits(v_rules))
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_attempt := row(
    v_account.phone, request_phone_change.client, request_phone_change.password_prehash, request_phone_change.foreign_prehash
  );
  v_check := private.check_password(v_account, v_attempt);
  if v_test_code is not null then
    -- For private.store_test_otp; after bcrypt, and before the limits and the account, as everywhere.
    perform private.lock_verification_state('PHONE', request_phone_change.new_phone);
  end if;
  v_check := private.settle_password(v_check, v_account, v_attempt, v_rules);
  v_answer.error := v_check.error;
  if v_answer.error is null then
    -- Again: a reset or a change of phone may have revoked the session while bcrypt ran.
    v_answer.error := private.caller_error(request_phone_change.session_id, request_phone_change.user_id);
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  perform private.remember_phone(v_account.id, request_phone_change.new_phone, null, clock_timestamp());
  v_request.account_id := v_account.id;
  v_request.counted_at := v_check.counted_at;
  if v_test_code is not null then
    return private.otp_answer(private.store_test_otp(v_request, v_test_code));
  end if;
  return private.send_unless_fraud(v_request);
end
$$;

comment on function api.request_phone_change(uuid, uuid, text, text, text, bytea, text, text[], text, text) is
$$POST /api/v1/auth/phone: sends a code to the new phone of the caller, whether or not it has an account. The caller then waits
for the delivery as after api.send_otp. A wrong password counts as a failed login, a right one as a login and as a send.
session_id, user_id: claims sid and sub of a verified access token. new_phone: E.164. password_prehash: the server's keyed pre-hash.
client, code_key, country, languages, number_type: as api.send_otp. foreign_prehash: as api.log_in. Errors: INVALID_IDENTIFIER; SESSION_NOT_FOUND, SESSION_REVOKED;
INVALID_REQUEST (details.reason login_refused, refused_by_hook); RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IDENTIFIER, OTP_SEND_PER_IP, LOGINS_PER_PHONE,
LOGIN_FAILURES_…, the fraud rules in mode "enforce").$$;
grant execute on function api.request_phone_change(uuid, uuid, text, text, text, bytea, text, text[], text, text) to latchkey_server;
