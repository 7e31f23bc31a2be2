create or replace function "user".erase_account(id uuid)
returns "user".account
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select a.* from private.erase_account(erase_account.id) a
$$;

comment on function "user".erase_account(uuid) is
$$Mutation erase_account: the admin deletes an account at once, with all that is stored about its person; nothing undoes it. The phone can
register again. id: the account. Result: the account as it was; null where there was none.$$;
grant execute on function "user".erase_account(uuid) to latchkey_admin;
