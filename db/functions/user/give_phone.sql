create or replace function "user".give_phone()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if old.phone is not null or new.phone is null then
    raise exception 'an admin can give a phone only to an account without one; the owner of any other account changes it by POST /auth/phone'
      using errcode = 'check_violation', constraint = 'account_phone_is_given_once';
  end if;
  new.phone := private.current_number(new.phone);
  new.phone_verified_at := clock_timestamp();
  new.updated_at := clock_timestamp();
  new.verified_by_test_code := false;
  -- The account counts as used: otherwise the next registration of the phone would release it again.
  new.last_used_on := (clock_timestamp() at time zone 'UTC')::date;
  return new;
end
$$;

comment on function "user".give_phone() is
$$Trigger of "user".account: an admin gives a phone to an account whose number was recycled (private.release_recycled_phone), and the admin
is responsible for who holds it. Every other change of phone needs a code.$$;

create or replace trigger give_phone before update of phone on "user".account
  for each row when (current_user = 'latchkey_admin' and new.phone is distinct from old.phone)
  execute function "user".give_phone();
