create or replace function private.replace_phone(session_id uuid, user_id uuid, new_phone text, otp_id uuid, languages text[], client text)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_error api.error;
  v_is_fixed boolean := private.is_fixed_code(replace_phone.otp_id);
begin
  -- Limits are locked before accounts, phones and ids in ascending order, so that two accounts which exchange their
  -- phones cannot deadlock.
  select a.* into v_account from "user".account a where a.id = replace_phone.user_id;
  perform private.clear_login_failures(least(v_account.phone, replace_phone.new_phone));
  perform private.clear_login_failures(greatest(v_account.phone, replace_phone.new_phone));
  if v_account.phone is not null then
    perform private.lock_rate_limit('NOTICES_PER_IDENTIFIER:' || v_account.phone);
  end if;

  -- Read again: another session may have changed the phone, and revoked this one, while this waited.
  perform from "user".account a where a.id = replace_phone.user_id or a.phone = replace_phone.new_phone order by a.id for update;
  select a.* into v_account from "user".account a where a.id = replace_phone.user_id;
  v_error := private.caller_error(replace_phone.session_id, replace_phone.user_id);
  if v_error is distinct from null then
    return v_error;
  end if;
  if v_is_fixed and not v_account.verified_by_test_code then
    return private.error('INVALID_OTP');
  end if;
  if v_account.phone = replace_phone.new_phone or not private.release_recycled_phone(replace_phone.new_phone) then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
  end if;
  begin
    update "user".account a
    set phone = replace_phone.new_phone, phone_verified_at = clock_timestamp(), updated_at = clock_timestamp(),
      verified_by_test_code = v_is_fixed
    where a.id = v_account.id;
  exception
    -- An import, or an admin, may give an account this phone at the same time: they lock nothing that a change of phone
    -- waits for.
    when unique_violation then
      return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
  end;
  perform private.remember_phone(v_account.id, v_account.phone, clock_timestamp(), null);
  delete from private.pending_registration r where r.phone = replace_phone.new_phone;
  delete from private.known_client k where k.account_id = v_account.id;
  perform private.revoke_sessions_of_user(v_account.id, array[replace_phone.session_id]);
  perform private.consume_otp(replace_phone.otp_id);
  if v_account.phone is not null then
    perform private.queue_notice(
      v_account, 'PHONE', v_account.phone, 'PHONE_CHANGED', replace_phone.languages, replace_phone.client
    );
  end if;
  return null;
end
$$;

comment on function private.replace_phone(uuid, uuid, text, uuid, text[], text) is
$$Gives an account another phone and uses up the code: its other sessions are revoked, its known clients and both phones' failed logins
forgotten, registrations that wait for the new phone deleted, and a notice is sent to the old phone. The caller has checked a code that was sent
to the new phone, whose row of private.verification_state it holds. session_id: stays. new_phone: E.164. otp_id: of the code. languages,
client: as private.queue_notice. Errors, of which none uses up the code: INVALID_REQUEST (details.reason already_registered),
SESSION_NOT_FOUND, SESSION_REVOKED, INVALID_OTP (a fixed code, for an account that another code confirmed meanwhile).$$;
