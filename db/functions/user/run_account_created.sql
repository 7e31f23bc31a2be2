create or replace function "user".run_account_created()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.call_hook('account_created', array['uuid'], 'void', new.id::text);
  return null;
end
$$;

comment on function "user".run_account_created() is
$$Trigger of "user".account: calls hook.account_created, in whatever way the account came about.$$;

create or replace trigger run_account_created after insert on "user".account
  for each row execute function "user".run_account_created();
