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
    join platform.otp_transaction t on t.identifier = e.phone and t.created_at > private.held_since(e) and t.created_at <= e.held_until
    -- Not the codes of other accounts that asked for the phone.
    where e.account_id = account.id and t.account_id is null
  ) o
$$;

comment on function private.otps_of_account("user".account) is
$$The one-time passwords that an erasure deletes: those of the account's phones, those that it asked for to get a phone, and those of a
phone that is somebody else's by now, from the time when it was this account's.$$;
