create or replace function private.phone_change_purpose(account_id uuid, phone text)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (
      select o.purpose
      from platform.otp_transaction o
      where o.identifier = phone_change_purpose.phone and o.account_id = phone_change_purpose.account_id
        and o.purpose in ('PHONE_CHANGE', 'PHONE_RECOVERY') and o.current_since is not null
        and (o.purpose = 'PHONE_CHANGE' or private.setting('PHONE_RECOVERY_BY_EMAIL') = '"on"')
      order by o.current_since desc
      limit 1
    ),
    'PHONE_CHANGE'
  )
$$;

comment on function private.phone_change_purpose(uuid, text) is
$$The purpose of the latest code by which an account may get a phone: PHONE_CHANGE, asked for with the password, or PHONE_RECOVERY, without it. So the
code itself says whether the change has to wait. phone: E.164.$$;
