create or replace function private.restore_account(account_id uuid)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update "user".account a set deletion_due_at = null
  where a.id = restore_account.account_id and a.deletion_due_at is not null;
  return found;
end
$$;

comment on function private.restore_account(uuid) is
$$Undoes the deletion that an account's owner asked for. Result: whether there was one to undo. The caller holds the account's row and has
found the account usable.$$;
