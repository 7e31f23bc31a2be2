create or replace function private.confirm_registration(account_id uuid)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  update "user".account a
  set phone_verified_at = clock_timestamp(),
      -- Nobody can tell whose password and email a contested registration holds: neither becomes the account's.
      password_hash = case when a.registration_is_contested then null else a.password_hash end,
      email = case when a.registration_is_contested then null else a.email end,
      registration_is_contested = false,
      updated_at = clock_timestamp()
  where a.id = confirm_registration.account_id
$$;

comment on function private.confirm_registration(uuid) is
$$Turns a registration into an account. A contested one gets no password; its holder sets it by a reset.$$;
revoke all on function private.confirm_registration(uuid) from public;
