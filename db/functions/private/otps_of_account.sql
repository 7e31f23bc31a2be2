create or replace function private.otps_of_account(account "user".account)
returns uuid[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(o.id), '{}')
  from (
    select t.id from platform.otp_transaction t where t.identifier = any (private.phones_of_account(account))
    union
    select t.id from platform.otp_transaction t where t.account_id = account.id
    union
    select t.id
    from private.earlier_phone e
    join platform.otp_transaction t on t.identifier = e.phone and t.created_at <= e.held_until
    where e.account_id = account.id
  ) o
$$;

comment on function private.otps_of_account("user".account) is
$$The one-time passwords that an erasure deletes: those of the account's phones, those that it asked for to get a phone, and those of a
phone that is another account's by now, up to the moment when it was no longer this one's.$$;
