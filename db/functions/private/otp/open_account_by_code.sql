create or replace function private.open_account_by_code(
  phone text, otp_id uuid, email text, client text, guest_session_id uuid
)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
  v_now timestamptz;
begin
  v_answer.created := false;
  if not private.may_open_account(open_account_by_code.phone) then
    return v_answer;
  end if;
  -- The keys sort after those of the verify limits, which the caller holds: limits stay locked in the order of their
  -- keys.
  v_answer.error := private.rate_limit_error(private.take_rate_limits(
    private.client_rules('REGISTER_PER_IP', open_account_by_code.client)
  ));
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  -- Before the guest's session, as every sign-in locks them.
  perform from "user".account a where a.phone = open_account_by_code.phone for update;
  v_answer.error := private.lock_guest(open_account_by_code.guest_session_id);
  if v_answer.error is distinct from null or not private.release_recycled_phone(open_account_by_code.phone) then
    return v_answer;
  end if;
  v_now := clock_timestamp();
  insert into "user".account (id, phone, email, phone_verified_at, created_at, updated_at, verified_by_test_code)
  values (
    private.new_id(), open_account_by_code.phone, open_account_by_code.email, v_now, v_now, v_now,
    private.is_fixed_code(open_account_by_code.otp_id)
  )
  -- An import, or an admin, may give an account this phone at the same time: the code then logs in to that one.
  on conflict on constraint account_phone_is_unique do nothing;
  v_answer.created := found;
  delete from private.pending_registration r where r.phone = open_account_by_code.phone;
  return v_answer;
end
$$;

comment on function private.open_account_by_code(text, uuid, text, text, uuid) is
$$Opens an account for the holder of a phone that has none, or a recycled one, and deletes the registrations that wait for the phone.
Its phone is verified; it has no password. The caller has checked a code that was sent to the phone, whose row of
private.verification_state it holds. phone: E.164. otp_id: the one-time password whose code that is. email: lower-cased, or null.
client: address as limits count it. guest_session_id: as private.sign_in. Result: created, whether it opened one, or an error; nothing else.
Errors: RATE_LIMIT_EXCEEDED (REGISTER_PER_IP); SESSION_NOT_FOUND, SESSION_REVOKED (of the guest).$$;
