create or replace function private.provider_fault(value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Those of worker/sms/providers.ts; a test compares the two lists.
  c_providers constant text[] := array['console', 'http', 'twilio', 'aws-sns', 'vonage'];
  c_members constant text[] := array['providerToUse', 'template', 'templates', 'fallback', 'routes', 'smtp'] || c_providers;
  v_member text;
  v_provider text;
  v_chain jsonb;
  v_fault text;
begin
  if jsonb_typeof(provider_fault.value) is distinct from 'object' then
    return 'must be an object with providerToUse and template';
  end if;
  v_provider := provider_fault.value ->> 'providerToUse';
  if v_provider is null or v_provider <> all (c_providers) then
    return 'providerToUse must be one of ' || array_to_string(c_providers, ', ');
  end if;
  v_fault := coalesce(
    private.template_fault('template', provider_fault.value -> 'template'),
    private.templates_fault(coalesce(provider_fault.value -> 'templates', '{}'))
  );
  if v_fault is not null then
    return v_fault;
  end if;
  if jsonb_typeof(coalesce(provider_fault.value -> 'fallback', '[]')) <> 'array' then
    return 'fallback must be an array of provider names';
  end if;
  v_chain := jsonb_build_array(provider_fault.value -> 'providerToUse') || coalesce(provider_fault.value -> 'fallback', '[]');
  for v_provider in select p.name from jsonb_array_elements_text(v_chain) p (name) loop
    if v_provider is null or v_provider <> all (c_providers) then
      return 'fallback may name ' || array_to_string(c_providers, ', ');
    end if;
    v_fault := private.provider_options_fault(v_provider, coalesce(provider_fault.value -> v_provider, '{}'));
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;
  if jsonb_array_length(v_chain) <> (select count(distinct p.name) from jsonb_array_elements_text(v_chain) p (name)) then
    return 'fallback must name each provider once, and not that of providerToUse';
  end if;
  for v_member in select m.name from jsonb_object_keys(provider_fault.value) m (name) loop
    if v_member <> all (c_members) then
      return format('may have %s, not %s', array_to_string(c_members, ', '), left(v_member, 40));
    end if;
    -- Also of providers that are not used now: a credential or a misspelled option would otherwise stay unnoticed.
    v_fault := case when v_member = any (c_providers || array['smtp']) then private.provider_options_fault(v_member, provider_fault.value -> v_member) end;
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;
  return private.routes_fault(provider_fault.value, c_providers);
end
$$;

comment on function private.provider_fault(jsonb) is
$$What is wrong with an OTP_PROVIDER record; null when nothing is. Credentials do not belong in it: they are in the environment.$$;
