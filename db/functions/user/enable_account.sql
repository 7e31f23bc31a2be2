create or replace function "user".enable_account(id uuid)
returns "user".account
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  update "user".account a set disabled_at = null, disabled_reason = null
  where a.id = enable_account.id
  returning a.*
$$;

comment on function "user".enable_account(uuid) is
$$Mutation enable_account: the admin undoes disable_account; the sessions stay revoked. id: the account. Result: the account; null where
there is none.$$;
grant execute on function "user".enable_account(uuid) to latchkey_admin;
