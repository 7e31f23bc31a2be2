create or replace function private.tell_phone(account "user".account, purpose text, languages text[], client text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if account.phone is not null then
    perform private.queue_notice(account, 'PHONE', account.phone, tell_phone.purpose, tell_phone.languages, tell_phone.client);
  end if;
end
$$;

comment on function private.tell_phone("user".account, text, text[], text) is
$$Tells the phone of an account what has changed; one whose number was recycled has none. account: the row as it was before. The others: as
private.queue_notice, whose limit of the phone the caller has locked, too (private.lock_account_to_tell). Call it last.$$;
