create or replace function "user".change_email()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  new.email := lower(nullif(btrim(new.email), ''));
  if new.email is distinct from old.email then
    new.updated_at := clock_timestamp();
    new.email_verified_at := null;
  end if;
  return new;
end
$$;

comment on function "user".change_email() is
$$Trigger of "user".account: an email that an admin types is trimmed and lower-cased as that of a registration is, and a blank one is none.
Nobody has verified it: its holder does that by POST /auth/email.$$;

create or replace trigger change_email before update of email on "user".account
  for each row when (current_user = 'latchkey_admin' and new.email is distinct from old.email)
  execute function "user".change_email();
