create or replace function private.provider_chain(identifier_type text)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
begin
  if v_record is null then
    return array[]::text[];
  end if;
  if provider_chain.identifier_type = 'EMAIL' then
    return array['smtp'];
  end if;
  return array[v_record ->> 'providerToUse'] || array(
    select f.name from jsonb_array_elements_text(v_record -> 'fallback') with ordinality f (name, n) order by f.n
  );
end
$$;

comment on function private.provider_chain(text) is
$$The providers that may send a message, in the order in which they are tried: providerToUse of OTP_PROVIDER, then its fallback; smtp
for an EMAIL. identifier_type: PHONE or EMAIL. Result: empty where OTP_PROVIDER is not set.$$;
