create or replace function private.emails_of_account(account "user".account)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Nobody verifies an email address: another account may have the same one, and what is stored about it.
  perform from "user".account a where a.email = account.email and a.id <> account.id;
  if found or account.email is null then
    return array[]::text[];
  end if;
  return array[account.email];
end
$$;

comment on function private.emails_of_account("user".account) is
$$The email addresses that an account alone has: what an erasure searches for, apart from phones.$$;
