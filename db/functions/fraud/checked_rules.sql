create or replace function fraud.checked_rules(rules jsonb)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text;
  v_value jsonb;
  v_fault text;
begin
  if jsonb_typeof(checked_rules.rules) is distinct from 'object' then
    raise exception 'settings must be an object, such as {"FRAUD_COUNTRY": {…}}' using errcode = 'invalid_parameter_value';
  end if;
  for v_name, v_value in select s.name, s.value from jsonb_each(checked_rules.rules) s (name, value) loop
    v_fault := case
      when v_name = any (fraud.rule_names()) then private.setting_fault(v_name, v_value)
      else 'there is no such fraud rule'
    end;
    if v_fault is not null then
      raise exception '%: %', v_name, v_fault using errcode = 'invalid_parameter_value';
    end if;
  end loop;
  return checked_rules.rules;
end
$$;

comment on function fraud.checked_rules(jsonb) is
$$The same rules; raises (22023) with the sentence of private.setting_fault where one is unknown or invalid.$$;
