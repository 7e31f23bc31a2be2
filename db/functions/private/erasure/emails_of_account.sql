create or replace function private.emails_of_account(account "user".account)
returns text[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(e.email), '{}')
  from (
    select account.email where account.email is not null
    union
    -- Those that it asked to have, and those that were told of a change.
    select o.identifier from platform.otp_transaction o where o.account_id = account.id and o.identifier_type = 'EMAIL'
  ) e (email)
$$;

comment on function private.emails_of_account("user".account) is
$$Every email address that rows of an account name: its own, those that it asked for, and those that notices told of a change.$$;
