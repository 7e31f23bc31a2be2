create or replace function private.store_registration(user_id uuid, phone text, email text, password_hash text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_kept constant integer := 5;
  v_is_contested boolean;
  v_is_taken boolean;
begin
  perform from "user".account a where a.phone = store_registration.phone and not private.is_recycled(a) for key share;
  -- The work from here on is the same for a taken phone: otherwise the time would reveal who has an account.
  -- And for one that is not invited.
  v_is_taken := found or not private.may_register(store_registration.phone);

  -- Expired registrations count too: otherwise a stranger who registers the phone every day would have the only live
  -- one a day later.
  select coalesce(bool_or(r.is_contested or r.password_hash <> store_registration.password_hash), false) into v_is_contested
  from private.pending_registration r
  where r.phone = store_registration.phone;

  insert into private.pending_registration (user_id, phone, email, password_hash, is_contested, registered_at)
  values (
    store_registration.user_id, store_registration.phone, store_registration.email, store_registration.password_hash,
    v_is_contested, clock_timestamp()
  );
  -- Looks at all registrations: after a clock was set back, the new one is the oldest and may be the one to delete.
  update private.pending_registration r set is_contested = true
  where r.phone = store_registration.phone and v_is_contested and not r.is_contested;

  delete from private.pending_registration r
  -- The phone alone makes this an index condition: of the alternatives below, one would read the whole table.
  where r.phone = store_registration.phone
    and (
      v_is_taken and r.user_id = store_registration.user_id
      or r.user_id in (
        select l.user_id from private.pending_registration l
        where l.phone = store_registration.phone
        order by l.registered_at desc, l.user_id desc
        offset c_kept
      )
    );
  -- Also where nothing is left of it. Without an address: an erasure finds only those of accounts.
  perform private.record_event('account.registered', store_registration.user_id, null);
end
$$;

comment on function private.store_registration(uuid, text, text, text) is
$$Keeps a registration until its phone is verified, the latest five of a phone; for a registered phone, unless it is recycled,
and for one that may not register (private.may_register), nothing is left of it. When two have different passwords all become contested and stay so: a stranger cannot displace the owner's registration and
be the only one left.
The caller holds the phone's row of private.verification_state. phone: E.164. email: lower-cased, or null.
password_hash: private.hash_registration_password.$$;
