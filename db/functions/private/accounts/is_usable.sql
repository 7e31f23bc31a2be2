create or replace function private.is_usable(account "user".account)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return account.id is not null
    and account.phone is not null
    and account.disabled_at is null
    and (account.deletion_due_at is null or account.deletion_due_at > clock_timestamp());
end
$$;

comment on function private.is_usable("user".account) is
$$Whether an account can be signed in to, by whatever proof: it exists, has a phone, which one whose number was recycled has not, is not
disabled, and its deletion is not due. account: a row as read, all null where there is none.$$;
