create or replace function delivery.provider_in_use()
returns text
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.setting('OTP_PROVIDER') ->> 'providerToUse';
end
$$;

comment on function delivery.provider_in_use() is
$$The SMS provider that OTP_PROVIDER names, so that a worker that starts can warn of none or of one it cannot use; null: none.$$;
revoke all on function delivery.provider_in_use() from public;
grant execute on function delivery.provider_in_use() to latchkey_worker;
