create or replace function private.setting_fault(key text, value jsonb)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_definition private.setting_definition;
  v_alternative text := '';
begin
  select d.* into v_definition from private.setting_definition d where d.key = setting_fault.key;
  if not found then
    return 'there is no such setting';
  end if;
  if v_definition.kind in ('integer or off', 'limit or off') then
    if value = '"off"' then
      return null;
    end if;
    v_alternative := '; it may also be off';
  end if;
  if v_definition.kind in ('integer', 'integer or off') then
    return private.integer_fault(value, v_definition.minimum, v_definition.maximum) || v_alternative;
  end if;
  if v_definition.kind = 'on or off' then
    return case when value is distinct from '"on"' and value is distinct from '"off"' then 'must be on or off' end;
  end if;
  if v_definition.kind = 'provider' then
    return private.provider_fault(value);
  end if;
  if v_definition.kind = 'origins' then
    return private.origins_fault(value);
  end if;
  if v_definition.kind = 'app hashes' then
    return private.app_hashes_fault(value);
  end if;
  if v_definition.kind = 'test numbers' then
    return private.test_numbers_fault(value);
  end if;
  if v_definition.kind = 'fraud rule' then
    return private.fraud_rule_fault(value, v_definition.default_value);
  end if;
  if v_definition.kind = 'reuse policy' then
    return case when value is null or value not in ('"revoke"', '"refuse"', '"same-client"')
      then 'must be revoke, refuse or same-client' end;
  end if;
  return private.limit_fault(value) || v_alternative;
end
$$;

comment on function private.setting_fault(text, jsonb) is
$$What is wrong with a setting's value, as a sentence; null when nothing is.$$;
