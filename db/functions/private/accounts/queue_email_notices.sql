create or replace function private.queue_email_notices(account "user".account, languages text[], client text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if account.email_verified_at is not null then
    perform private.queue_notice(
      account, 'EMAIL', account.email, 'EMAIL_CHANGED', queue_email_notices.languages, queue_email_notices.client
    );
  end if;
  perform private.tell_phone(account, 'EMAIL_CHANGED', queue_email_notices.languages, queue_email_notices.client);
end
$$;

comment on function private.queue_email_notices("user".account, text[], text) is
$$Tells the phone of an account, and the email that it had if that was verified, that the account's email changed. account: the row as it was
before. languages, client: as private.queue_notice.$$;
