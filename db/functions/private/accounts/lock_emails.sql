create or replace function private.lock_emails(emails text[])
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.lock_verification_state('EMAIL', e.email)
  from (select distinct u.email from unnest(lock_emails.emails) u (email) where u.email is not null order by u.email) e;
end
$$;

comment on function private.lock_emails(text[]) is
$$Locks the verification states of email addresses, in one order: two accounts that exchange their addresses cannot deadlock. emails:
lower-cased; nulls and repeated ones count for nothing.$$;
