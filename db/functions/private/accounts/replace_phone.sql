create or replace function private.replace_phone(session_id uuid, user_id uuid, new_phone text, otp_id uuid, languages text[], client text)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account := private.lock_for_phone(replace_phone.user_id, replace_phone.new_phone);
  v_error api.error := private.caller_error(replace_phone.session_id, replace_phone.user_id);
  v_is_fixed boolean := private.is_fixed_code(replace_phone.otp_id);
begin
  if v_error is distinct from null then
    return v_error;
  end if;
  if v_is_fixed and not v_account.verified_by_test_code then
    return private.error('INVALID_OTP');
  end if;
  return private.set_phone(
    v_account, replace_phone.new_phone, replace_phone.otp_id, v_is_fixed, replace_phone.session_id, replace_phone.languages,
    replace_phone.client
  );
end
$$;

comment on function private.replace_phone(uuid, uuid, text, uuid, text[], text) is
$$Gives an account another phone and uses up the code (private.set_phone). The caller has checked a code that was sent to the new phone, whose row
of private.verification_state it holds. session_id: stays. new_phone: E.164. otp_id: of the code. languages, client: as private.queue_notice.
Errors, of which none uses up the code: INVALID_REQUEST (details.reason already_registered), SESSION_NOT_FOUND, SESSION_REVOKED, INVALID_OTP (a fixed
code, for an account that another code confirmed meanwhile).$$;
