create or replace function api.request_email_change(
  session_id uuid, user_id uuid, new_email text, password_prehash text, client text, code_key bytea, languages text[] default '{}',
  foreign_prehash text default null
)
returns api.otp_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
begin
  v_answer.error := coalesce(
    private.identifier_error('newEmail', coalesce(request_email_change.new_email, ''), 'EMAIL'),
    private.email_error()
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.request_identifier_change(
    row(
      request_email_change.new_email, 'EMAIL', 'EMAIL_CHANGE', true, null, request_email_change.languages, null,
      request_email_change.user_id, request_email_change.client, null, null, request_email_change.code_key
    )::private.send_request,
    request_email_change.session_id, request_email_change.password_prehash, request_email_change.foreign_prehash
  );
end
$$;

comment on function api.request_email_change(uuid, uuid, text, text, text, bytea, text[], text) is
$$POST /api/v1/auth/email: sends a code to an email address that the caller's account is to have, whether or not another account has it. The
caller then waits for the delivery as after api.send_otp. A wrong password counts as a failed login, a right one as a login and as a send.
session_id, user_id: claims sid and sub of a verified access token. new_email: lower-cased. password_prehash: the server's keyed pre-hash;
null: the caller has signed in within 10 minutes. client, code_key, languages: as api.send_otp. foreign_prehash: as api.log_in.
Errors: INVALID_IDENTIFIER (details.field newEmail); SESSION_NOT_FOUND, SESSION_REVOKED; INVALID_REQUEST (details.reason not_enabled,
login_refused, recent_sign_in_required); RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IDENTIFIER, OTP_SEND_PER_IP, LOGINS_PER_PHONE, LOGIN_FAILURES_…); those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.request_email_change(uuid, uuid, text, text, text, bytea, text[], text) to latchkey_server;
