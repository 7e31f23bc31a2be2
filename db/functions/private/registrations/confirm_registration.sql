create or replace function private.confirm_registration(registration private.pending_registration, otp_id uuid default null)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into "user".account (id, phone, email, password_hash, phone_verified_at, created_at, updated_at, verified_by_test_code)
  values (
    registration.user_id, registration.phone, registration.email, registration.password_hash, v_now, v_now, v_now,
    private.is_fixed_code(confirm_registration.otp_id)
  );
  delete from private.pending_registration r where r.phone = registration.phone;
end
$$;

comment on function private.confirm_registration(private.pending_registration, uuid) is
$$Turns a registration into an account and deletes the phone's other registrations. registration: from private.registration_to_confirm.
otp_id: the one-time password whose code confirmed it; null: not a fixed one.$$;
