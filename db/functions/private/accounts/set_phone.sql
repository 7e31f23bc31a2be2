create or replace function private.set_phone(
  account "user".account, new_phone text, otp_id uuid, is_fixed boolean, session_id uuid, languages text[], client text
)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if account.phone = set_phone.new_phone or not private.release_recycled_phone(set_phone.new_phone) then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
  end if;
  begin
    update "user".account a
    set phone = set_phone.new_phone, phone_verified_at = clock_timestamp(), updated_at = clock_timestamp(),
      verified_by_test_code = set_phone.is_fixed
    where a.id = account.id;
  exception
    -- An import, or an admin, may give an account this phone at the same time: they lock nothing that a change of phone
    -- waits for.
    when unique_violation then
      return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
  end;
  perform private.remember_phone(account.id, account.phone, clock_timestamp(), null);
  delete from private.pending_registration r where r.phone = set_phone.new_phone;
  delete from private.known_client k where k.account_id = account.id;
  delete from private.phone_recovery r where r.account_id = account.id;
  perform private.revoke_sessions_of_user(account.id, array[set_phone.session_id], 'phone_changed');
  if set_phone.otp_id is not null then
    perform private.consume_otp(set_phone.otp_id);
  end if;
  perform private.tell_phone(account, 'PHONE_CHANGED', set_phone.languages, set_phone.client);
  return null;
end
$$;

comment on function private.set_phone("user".account, text, uuid, boolean, uuid, text[], text) is
$$Gives an account another phone: its other sessions are revoked, its known clients are forgotten, registrations that wait for the new phone and
a change that waits are deleted, and a notice is sent to the old phone. The caller has locked what private.lock_for_phone locks. account: the row as
it was. otp_id: of the code that is used up; null: it was used before. is_fixed: the code was that of a test number. session_id: stays. languages,
client: as private.queue_notice. Errors, which use up no code: INVALID_REQUEST (details.reason already_registered).$$;
