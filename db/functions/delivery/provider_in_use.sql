create or replace function delivery.provider_in_use()
returns delivery.provider
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
  v_provider text := v_record ->> 'providerToUse';
begin
  if v_provider is null then
    return null;
  end if;
  return row(v_provider, coalesce(v_record -> v_provider, '{}'))::delivery.provider;
end
$$;

comment on function delivery.provider_in_use() is
$$The SMS provider that OTP_PROVIDER names and its options, from which a worker decides whether it can send; null: none is set.$$;
grant execute on function delivery.provider_in_use() to latchkey_worker;
