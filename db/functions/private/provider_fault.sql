create or replace function private.provider_fault(value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Those of worker/sms/providers.ts; a test holds the two equal.
  c_providers constant text[] := array['console', 'http'];
  c_longest_template constant integer := 1000;
  v_provider text;
begin
  if jsonb_typeof(value) is distinct from 'object' then
    return 'must be an object with providerToUse and template';
  end if;
  v_provider := value ->> 'providerToUse';
  if v_provider is null or v_provider <> all (c_providers) then
    return 'providerToUse must be one of ' || array_to_string(c_providers, ', ');
  end if;
  if jsonb_typeof(value -> 'template') is distinct from 'string' or strpos(value ->> 'template', '{{code}}') = 0 then
    return 'template must be a text that holds {{code}}';
  end if;
  if length(value ->> 'template') > c_longest_template then
    return format('template must be %s characters at most', c_longest_template);
  end if;
  if value ? v_provider and jsonb_typeof(value -> v_provider) <> 'object' then
    return format('%s must be an object: the options of that provider', v_provider);
  end if;
  if v_provider = 'http' and coalesce(value #>> '{http,url}', '') !~ '^https?://(\[[0-9a-fA-F:.]+\]|[^][/?#@:[:space:]]+)(:[0-9]{1,5})?([/?#][^[:space:]]*)?$' then
    return 'http.url must be an http or https address, without a user and password';
  end if;
  return null;
end
$$;

comment on function private.provider_fault(jsonb) is
$$What is wrong with an OTP_PROVIDER record; null when nothing is. Credentials do not belong in it: they are in the environment.$$;
