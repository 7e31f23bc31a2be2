create or replace function private.provider_fault(value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Those of worker/sms/providers.ts; a test holds the two equal.
  c_providers constant text[] := array['console', 'http', 'twilio', 'aws-sns', 'vonage'];
  c_twilio_channels constant text[] := array['sms', 'whatsapp', 'voice'];
  v_provider text;
  v_options jsonb;
  v_fault text;
begin
  if jsonb_typeof(value) is distinct from 'object' then
    return 'must be an object with providerToUse and template';
  end if;
  v_provider := value ->> 'providerToUse';
  if v_provider is null or v_provider <> all (c_providers) then
    return 'providerToUse must be one of ' || array_to_string(c_providers, ', ');
  end if;
  v_fault := coalesce(private.template_fault('template', value -> 'template'), private.templates_fault(coalesce(value -> 'templates', '{}')));
  if v_fault is not null then
    return v_fault;
  end if;
  if value ? v_provider and jsonb_typeof(value -> v_provider) <> 'object' then
    return format('%s must be an object: the options of that provider', v_provider);
  end if;
  v_options := coalesce(value -> v_provider, '{}');
  if v_provider = 'http' and coalesce(v_options ->> 'url', '') !~ '^https?://(\[[0-9a-fA-F:.]+\]|[^][/?#@:[:space:]]+)(:[0-9]{1,5})?([/?#][^[:space:]]*)?$' then
    return 'http.url must be an http or https address, without a user and password';
  end if;
  if v_provider = 'twilio' and coalesce(v_options ->> 'channel', 'sms') <> all (c_twilio_channels) then
    return 'twilio.channel must be one of ' || array_to_string(c_twilio_channels, ', ');
  end if;
  if v_provider = 'twilio' and coalesce(v_options ->> 'from', '') !~ '^\+[1-9][0-9]{6,14}$'
    and (coalesce(v_options ->> 'messagingServiceSid', '') !~ '^MG[0-9a-fA-F]{32}$' or v_options ->> 'channel' = 'voice') then
    return 'twilio.from must be a phone number such as +12125550100; SMS and WhatsApp may have a messagingServiceSid instead';
  end if;
  if v_provider = 'aws-sns' and v_options ? 'senderId' and coalesce(v_options ->> 'senderId', '') !~ '^[A-Za-z0-9-]{1,11}$' then
    return 'aws-sns.senderId must be 1 to 11 letters, digits and hyphens';
  end if;
  if v_provider = 'vonage' and coalesce(v_options ->> 'from', '') !~ '^([0-9]{5,15}|[A-Za-z0-9 ]{1,11})$' then
    return 'vonage.from must be a phone number in digits, or 1 to 11 letters, digits and blanks';
  end if;
  return null;
end
$$;

comment on function private.provider_fault(jsonb) is
$$What is wrong with an OTP_PROVIDER record; null when nothing is. Credentials do not belong in it: they are in the environment.$$;
