create or replace function private.setting_fault(key text, value jsonb)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- As browsers write an origin (location.origin): lower case, no path. A host name alone has 255 characters at most
  -- (RFC 1035, section 2.3.4).
  c_origin constant text :=
    '^(?=.{1,255}$)(https://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*|http://localhost)(:[1-9][0-9]{0,4})?$';
  c_app_hash constant text := '^[A-Za-z0-9+/]{11}$';
  v_definition private.setting_definition;
begin
  select d.* into v_definition from private.setting_definition d where d.key = setting_fault.key;
  if not found then
    return 'there is no such setting';
  end if;
  if v_definition.kind like 'one of %' then
    return case when (setting_fault.value #>> '{}' = any (string_to_array(substr(v_definition.kind, 8), ', '))
      and jsonb_typeof(setting_fault.value) = 'string') is not true then 'must be ' || v_definition.kind end;
  end if;
  return case v_definition.kind
    when 'integer' then private.integer_fault(setting_fault.value, v_definition.minimum, v_definition.maximum)
    when 'integer or off' then case when setting_fault.value is distinct from '"off"' then
      private.integer_fault(setting_fault.value, v_definition.minimum, v_definition.maximum) || '; it may also be off' end
    when 'limit or off' then case when setting_fault.value is distinct from '"off"' then
      private.limit_fault(setting_fault.value) || '; it may also be off' end
    when 'on or off' then case when setting_fault.value in ('"on"', '"off"') is not true then 'must be on or off' end
    when 'provider' then private.provider_fault(setting_fault.value)
    when 'origins' then private.texts_fault(
      setting_fault.value, 'origins', c_origin, 'https origins such as https://app.example.com, or http://localhost'
    )
    when 'app hashes' then private.texts_fault(
      setting_fault.value, 'hashes', c_app_hash, 'hashes of apps, 11 characters of base64 each'
    )
    when 'channels' then private.texts_fault(setting_fault.value, 'channels', '^(sms|whatsapp|voice)$', 'sms, whatsapp or voice')
    when 'test numbers' then private.test_numbers_fault(setting_fault.value)
    when 'fraud rule' then private.fraud_rule_fault(setting_fault.value, v_definition.default_value)
    else private.limit_fault(setting_fault.value)
  end;
end
$$;

comment on function private.setting_fault(text, jsonb) is
$$What is wrong with a setting's value, as a sentence; null when nothing is.$$;
