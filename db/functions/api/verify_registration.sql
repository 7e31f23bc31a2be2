create or replace function api.verify_registration(phone text, otp text, code_key bytea, client text)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
  v_account "user".account;
  v_otp api.otp_answer := private.check_otp(
    verify_registration.phone, 'SIGNUP', verify_registration.otp, verify_registration.code_key, verify_registration.client
  );
begin
  if v_otp.error_code is not null then
    v_answer.error_code := v_otp.error_code;
    v_answer.error_details := v_otp.error_details;
    return v_answer;
  end if;

  select a.* into v_account
  from "user".account a
  where a.phone = verify_registration.phone
    and (a.phone_verified_at is not null or a.created_at > clock_timestamp() - private.registration_lifetime())
  for no key update;
  if not found then
    perform private.count_attempt(v_otp.otp_id);
    v_answer.error_code := 'INVALID_OTP';
    return v_answer;
  end if;

  perform private.consume_otp(v_otp.otp_id);
  if v_account.phone_verified_at is not null then
    v_answer.error_code := 'INVALID_REQUEST';
    v_answer.error_details := jsonb_build_object('reason', 'already_registered');
    return v_answer;
  end if;

  perform private.confirm_registration(v_account.id);
  perform private.remember_client(v_account.id, verify_registration.client);
  return private.open_session(v_account.id);
end
$$;

comment on function api.verify_registration(text, text, bytea, text) is
$$POST /api/v1/auth/register/verify: confirms a phone by its SIGNUP code and opens a session.
phone: E.164. otp: the code as typed. code_key: 32 bytes. client: address as limits count it.
Errors: those of private.check_otp; INVALID_OTP also for the right code where nothing is registered;
INVALID_REQUEST (details.reason already_registered), which only the phone's holder can reach.$$;
revoke all on function api.verify_registration(text, text, bytea, text) from public;
grant execute on function api.verify_registration(text, text, bytea, text) to latchkey_server;
