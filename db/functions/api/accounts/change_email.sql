create or replace function api.change_email(
  session_id uuid, user_id uuid, new_email text, otp text, code_key bytea, client text, languages text[] default '{}'
)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.answer;
  v_otp api.otp_answer;
begin
  v_answer.error := coalesce(
    private.identifier_error('newEmail', coalesce(change_email.new_email, ''), 'EMAIL'),
    private.email_error(),
    private.caller_error(change_email.session_id, change_email.user_id),
    private.second_factor_error(change_email.session_id, change_email.user_id)
  );
  if v_answer.error is null then
    perform private.lock_emails(array[change_email.new_email, (select a.email from "user".account a where a.id = change_email.user_id)]);
    v_otp := private.check_otp(row(
      'EMAIL', change_email.new_email, 'EMAIL_CHANGE', change_email.client, change_email.otp, change_email.code_key, change_email.user_id
    )::private.code_attempt);
    v_answer.error := v_otp.error;
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_answer.error := private.replace_email(
    change_email.session_id, change_email.user_id, change_email.new_email, change_email.languages, change_email.client
  );
  if v_answer.error is null or (v_answer.error).code = 'INVALID_REQUEST' then
    -- The code counts as used, unless the session ended meanwhile. An email has no counters of sends to lock.
    perform private.consume_otp(v_otp.otp_id);
  end if;
  return v_answer;
end
$$;

comment on function api.change_email(uuid, uuid, text, text, bytea, text, text[]) is
$$POST /api/v1/auth/email/verify: gives the caller's account the email whose EMAIL_CHANGE code it has, and tells its phone and the verified
email that it had. session_id, user_id: claims sid and sub of a verified access token. new_email: lower-cased. otp: the code as typed.
code_key: as private.hash_code. client: address as limits count it. languages: of the notices, as api.send_otp.
Errors: INVALID_IDENTIFIER (details.field newEmail); SESSION_NOT_FOUND, SESSION_REVOKED; those of private.check_otp; INVALID_REQUEST (details.reason
not_enabled; already_registered, which only the holder of the new email can reach); those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.change_email(uuid, uuid, text, text, bytea, text, text[]) to latchkey_server;
