create or replace function private.store_registration(user_id uuid, phone text, email text, password_hash text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Locked and not only looked up: so both ways write, and a commit takes the same time.
  perform from "user".account a where a.phone = store_registration.phone for key share;
  if found then
    return;
  end if;

  insert into private.pending_registration (user_id, phone, email, password_hash, is_contested, registered_at)
  select
    store_registration.user_id, store_registration.phone, store_registration.email, store_registration.password_hash,
    coalesce(bool_or(r.is_contested or r.password_hash <> store_registration.password_hash), false), clock_timestamp()
  from private.live_registrations(store_registration.phone) r;

  delete from private.pending_registration r
  where r.phone = store_registration.phone
    and r.user_id not in (select l.user_id from private.live_registrations(store_registration.phone) l);
end
$$;

comment on function private.store_registration(uuid, text, text, text) is
$$Keeps a registration until its phone is verified; for a registered phone it stores nothing. It is contested when an earlier one has
another password or is contested: so a stranger cannot push the owner's registration out and be alone.
The caller holds the phone's row of private.verification_state. phone: E.164. email: lower-cased, or null.
password_hash: private.hash_registration_password.$$;
revoke all on function private.store_registration(uuid, text, text, text) from public;
