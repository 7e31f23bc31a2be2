create or replace function private.store_registration(
  account_id uuid, phone text, email text, password_hash text, client text
)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into "user".account as a (id, phone, email, password_hash, registered_from, created_at, updated_at)
  values (
    store_registration.account_id, store_registration.phone, store_registration.email,
    store_registration.password_hash, store_registration.client, clock_timestamp(), clock_timestamp()
  )
  on conflict on constraint account_phone_is_unique do update
  set id = excluded.id,
      email = excluded.email,
      password_hash = excluded.password_hash,
      registered_from = excluded.registered_from,
      -- A hash under another salt counts as another password: a registration that came in between is a contest too.
      registration_is_contested = a.created_at > clock_timestamp() - private.registration_lifetime() and (
        a.registration_is_contested
        or (a.registered_from <> excluded.registered_from and a.password_hash <> excluded.password_hash)
      ),
      created_at = excluded.created_at,
      updated_at = excluded.updated_at
  where a.phone_verified_at is null
$$;

comment on function private.store_registration(uuid, text, text, text, text) is
$$Stores an unverified registration, in place of an earlier one of the phone; a verified account is left as it is.
With another password from another client it becomes contested: verifying will set no password, else whoever registers a
stranger's phone last would own the account when the stranger verifies. client: address as limits count it.$$;
revoke all on function private.store_registration(uuid, text, text, text, text) from public;
