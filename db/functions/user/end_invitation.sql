create or replace function "user".end_invitation()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from "user".invitation i where i.phone = new.phone;
  return null;
end
$$;

comment on function "user".end_invitation() is
$$Trigger of "user".account: an invitation opens one account, in whatever way the phone became an account's. Whoever gets the phone later needs
another one.$$;

create or replace trigger end_invitation after insert or update of phone on "user".account
  for each row execute function "user".end_invitation();
