create or replace function private.registration_to_confirm(phone text, user_id uuid)
returns private.pending_registration
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_registration private.pending_registration;
begin
  select r.* into v_registration
  from private.pending_registration r
  where r.phone = registration_to_confirm.phone
    and r.registered_at > clock_timestamp() - private.registration_lifetime()
    and (registration_to_confirm.user_id is null or r.user_id = registration_to_confirm.user_id)
  order by r.registered_at desc, r.user_id desc
  limit 1;

  if v_registration.is_contested and registration_to_confirm.user_id is null then
    -- Nobody can tell whose registration this is: the account gets neither its id nor its password and email.
    v_registration.user_id := private.new_id();
    v_registration.email := null;
    v_registration.password_hash := null;
  end if;
  return v_registration;
end
$$;

comment on function private.registration_to_confirm(text, uuid) is
$$The registration that becomes a phone's account. user_id: the one that the client names; null when it names none: then the latest,
without its password and email where registrations of the phone have different passwords. Result: all null where there is none.
phone: E.164; the caller holds its row of private.verification_state.$$;
