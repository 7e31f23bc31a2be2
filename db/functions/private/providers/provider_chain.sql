create or replace function private.provider_chain(identifier_type text, identifier text, channel text default null)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
  v_routed jsonb := private.routed_record(v_record, private.route_of(v_record, provider_chain.identifier));
begin
  if v_record is null then
    return array[]::text[];
  end if;
  if provider_chain.identifier_type = 'EMAIL' then
    return array['smtp'];
  end if;
  return array(
    select p.name from private.providers_of(v_routed) with ordinality p (name, n)
    where provider_chain.channel is null or provider_chain.channel = any (private.channels_of(p.name, coalesce(v_routed -> p.name, '{}')))
    order by p.n
  );
end
$$;

comment on function private.provider_chain(text, text, text) is
$$The providers that may send a message, in the order in which they are tried: providerToUse of OTP_PROVIDER, then its fallback, as the
route of the phone has them; smtp for an EMAIL. identifier_type: PHONE or EMAIL. identifier: E.164, or an email address. channel: only providers that have it; null: all. Result: empty where OTP_PROVIDER is not set, or no provider has the channel.$$;
