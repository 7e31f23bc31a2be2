create or replace function "user".erase_earlier_email()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.erase_email(old.email, old.id);
  return null;
end
$$;

comment on function "user".erase_earlier_email() is
$$Trigger of "user".account: deletes what is stored about an email when the last account that has it gets another one, or none. A later
erasure could not find it.$$;

create or replace trigger erase_earlier_email after update of email on "user".account
  for each row when (old.email is distinct from new.email and old.email is not null)
  execute function "user".erase_earlier_email();
