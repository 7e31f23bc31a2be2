create or replace function private.phones_of_account(account "user".account)
returns text[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(p.phone), '{}')
  from (
    select account.phone where account.phone is not null
    union
    -- Those that it asked for, and had before, unless somebody else has them.
    select o.identifier
    from platform.otp_transaction o
    where o.account_id = account.id
      and not exists (select from "user".account a where a.phone = o.identifier and a.id <> account.id)
  ) p (phone)
$$;

comment on function private.phones_of_account("user".account) is
$$Every phone by which rows may lead to an account: what an erasure searches for, in E.164. Whatever holds an
earlier one is deleted no later than the one-time passwords that name it here (OTP_RETENTION_DAYS).$$;
