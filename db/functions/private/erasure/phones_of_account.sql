create or replace function private.phones_of_account(account "user".account)
returns text[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(p.phone), '{}')
  from (
    select account.phone where account.phone is not null
    union
    -- Phones that the account had before. A phone that it only asked for is not its own.
    select e.phone
    from private.earlier_phone e
    where e.account_id = account.id and e.held_until is not null and not private.has_other_users(e)
  ) p (phone)
$$;

comment on function private.phones_of_account("user".account) is
$$Every phone that this account and no other has or had: an erasure deletes all that is stored about them. E.164.$$;
