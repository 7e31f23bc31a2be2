create or replace function private.confirm_registration(registration private.pending_registration, otp_id uuid default null)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform private.release_recycled_phone(registration.phone);
  insert into "user".account (id, phone, email, password_hash, phone_verified_at, created_at, updated_at, verified_by_test_code)
  values (
    registration.user_id, registration.phone,
    coalesce(
      registration.email,
      (select i.email from "user".invitation i where i.phone = registration.phone and i.valid_until > v_now)
    ),
    registration.password_hash, v_now, v_now, v_now,
    private.is_fixed_code(confirm_registration.otp_id)
  )
  -- An import, or an admin, may give an account this phone at the same time: they lock nothing that a verification
  -- waits for.
  on conflict on constraint account_phone_is_unique do nothing;
  if not found then
    return false;
  end if;
  delete from private.pending_registration r where r.phone = registration.phone;
  return true;
end
$$;

comment on function private.confirm_registration(private.pending_registration, uuid) is
$$Turns a registration into an account, with the email of its invitation unless it has its own, takes its phone from a recycled one, and deletes the phone's other registrations. False where the
phone has another account. registration: from private.registration_to_confirm, or made for a code that opens an account.
otp_id: the one-time password whose code confirmed it; null: not a fixed one.$$;
