create or replace function api.request_phone_change(
  session_id uuid, user_id uuid, new_phone text, password_prehash text, client text, code_key bytea, country text,
  languages text[] default '{}', foreign_prehash text default null, number_type text default null
)
returns api.otp_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
begin
  v_answer.error := coalesce(
    private.identifier_error('newPhone', request_phone_change.new_phone),
    case when request_phone_change.password_prehash is null then private.recovery_error() end
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.request_identifier_change(
    row(
      request_phone_change.new_phone, 'PHONE',
      case when request_phone_change.password_prehash is null then 'PHONE_RECOVERY' else 'PHONE_CHANGE' end, true, null, request_phone_change.languages, null, request_phone_change.user_id,
      request_phone_change.client, request_phone_change.country, request_phone_change.number_type, request_phone_change.code_key
    )::private.send_request,
    request_phone_change.session_id, request_phone_change.password_prehash, request_phone_change.foreign_prehash
  );
end
$$;

comment on function api.request_phone_change(uuid, uuid, text, text, text, bytea, text, text[], text, text) is
$$POST /api/v1/auth/phone: sends a code to the new phone of the caller, whether or not it has an account. The caller then waits
for the delivery as after api.send_otp. A wrong password counts as a failed login, a right one as a login and as a send.
session_id, user_id: claims sid and sub of a verified access token. new_phone: E.164. password_prehash: the server's keyed pre-hash; null, while
PHONE_RECOVERY_BY_EMAIL is on: a code by email opened the session within 10 minutes.
client, code_key, country, languages, number_type: as api.send_otp. foreign_prehash: as api.log_in. Errors: INVALID_IDENTIFIER; MISSING_FIELDS (details.fields password); SESSION_NOT_FOUND, SESSION_REVOKED;
INVALID_REQUEST (details.reason login_refused, recent_sign_in_required, refused_by_hook); RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IDENTIFIER, OTP_SEND_PER_IP, LOGINS_PER_PHONE,
LOGIN_FAILURES_…, the fraud rules in mode "enforce"); those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.request_phone_change(uuid, uuid, text, text, text, bytea, text, text[], text, text) to latchkey_server;
