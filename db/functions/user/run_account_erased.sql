create or replace function "user".run_account_erased()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.call_hook('account_erased', array['uuid'], 'void', old.id::text);
  return old;
end
$$;

comment on function "user".run_account_erased() is
$$Trigger of "user".account: calls hook.account_erased, in whatever way the account is deleted. Before the row goes, so that the hook may keep
what a foreign key of the application would delete, or delete what one would keep.$$;

-- By the order of names it is the last trigger before the deletion.
create or replace trigger run_account_erased before delete on "user".account
  for each row execute function "user".run_account_erased();
