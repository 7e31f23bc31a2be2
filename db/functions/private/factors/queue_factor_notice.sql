create or replace function private.queue_factor_notice(account "user".account, languages text[], client text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if account.phone is not null then
    perform private.queue_notice(
      account, 'PHONE', account.phone, 'FACTORS_CHANGED', queue_factor_notice.languages, queue_factor_notice.client
    );
  end if;
end
$$;

comment on function private.queue_factor_notice("user".account, text[], text) is
$$Tells the phone of an account that a second factor was added, removed or copied. account: of private.lock_account_to_tell. languages, client: as
private.queue_notice. Call it last.$$;
