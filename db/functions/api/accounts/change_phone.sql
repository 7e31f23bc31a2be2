create or replace function api.change_phone(
  session_id uuid, user_id uuid, new_phone text, otp text, code_key bytea, client text, languages text[] default '{}'
)
returns api.phone_change_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.phone_change_answer;
  v_otp api.otp_answer;
  v_purpose text := private.phone_change_purpose(change_phone.user_id, change_phone.new_phone);
begin
  v_answer.error := coalesce(
    private.identifier_error('newPhone', change_phone.new_phone),
    private.caller_error(change_phone.session_id, change_phone.user_id),
    private.second_factor_error(change_phone.session_id, change_phone.user_id)
  );
  if v_answer.error is null then
    v_otp := private.check_otp(row(
      'PHONE', change_phone.new_phone, v_purpose, change_phone.client, change_phone.otp, change_phone.code_key, change_phone.user_id
    )::private.code_attempt);
    v_answer.error := v_otp.error;
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if v_purpose = 'PHONE_RECOVERY' and private.setting_integer('RECOVERY_DELAY_SECONDS') > 0 then
    v_answer := private.delay_phone_change(
      change_phone.session_id, change_phone.user_id, change_phone.new_phone, v_otp.otp_id, change_phone.languages, change_phone.client
    );
  else
    v_answer.error := private.replace_phone(
      change_phone.session_id, change_phone.user_id, change_phone.new_phone, v_otp.otp_id, change_phone.languages, change_phone.client
    );
  end if;
  if (v_answer.error).code = 'INVALID_REQUEST' then
    -- The code counts as used, unless the session ended meanwhile. Last, because this locks the counters of sends.
    perform private.consume_otp(v_otp.otp_id);
  end if;
  return v_answer;
end
$$;

comment on function api.change_phone(uuid, uuid, text, text, bytea, text, text[]) is
$$POST /api/v1/auth/phone/verify: gives the caller's account the phone whose PHONE_CHANGE or PHONE_RECOVERY code it has, revokes the user's other sessions and
tells the old phone; or, where that code was asked for without the password, lets the phone change after RECOVERY_DELAY_SECONDS. session_id, user_id: claims sid and sub of a verified access token. new_phone: E.164. otp: the code as typed.
code_key: as private.hash_code. client: address as limits count it. languages: of the notice, as api.send_otp.
Errors: INVALID_IDENTIFIER (details.field newPhone); SESSION_NOT_FOUND, SESSION_REVOKED; those of private.check_otp; INVALID_REQUEST (details.reason already_registered), which only
the holder of the new phone can reach; those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.change_phone(uuid, uuid, text, text, bytea, text, text[]) to latchkey_server;
