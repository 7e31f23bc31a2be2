create or replace function private.has_other_users(earlier private.earlier_phone)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from "user".account a where a.phone = earlier.phone and a.id <> earlier.account_id)
    or exists (
      select from private.earlier_phone o
      where o.phone = earlier.phone and o.account_id <> earlier.account_id and o.held_until is not null
    )
    or exists (select from "user".invitation i where i.phone = earlier.phone)
    -- Somebody who registers it now, or requests codes for it.
    or exists (
      select from platform.otp_transaction t
      where t.identifier = earlier.phone and t.expires_at > now()
        and (t.account_id <> earlier.account_id or t.account_id is null and t.created_at > coalesce(earlier.held_until, '-infinity'))
    )
    or exists (
      select from private.pending_registration r
      where r.phone = earlier.phone and r.registered_at > coalesce(earlier.held_until, '-infinity')
    )
$$;

comment on function private.has_other_users(private.earlier_phone) is
$$Whether a phone that an account had, or asked for, is somebody else's too: another account has or had it, it is invited, a code that somebody else
requested for it is valid, or a registration waits for it. What the account's user did while the account had the phone does not count.$$;
