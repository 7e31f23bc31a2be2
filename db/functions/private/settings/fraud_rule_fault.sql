create or replace function private.fraud_rule_fault(value jsonb, default_value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_bounds constant jsonb := jsonb '{"perHour": [1, 100000000], "perDay": [1, 100000000], "minimum": [1, 1000000], "factor": [0, 1000], "seconds": [1, 86400]}';
  v_name text;
  v_fault text;
begin
  if jsonb_typeof(fraud_rule_fault.value) is distinct from 'object'
    or array(select n.name from jsonb_object_keys(fraud_rule_fault.value) n (name) order by 1)
      <> array(select n.name from jsonb_object_keys(fraud_rule_fault.default_value) n (name) order by 1) then
    return 'must be an object with the members of ' || fraud_rule_fault.default_value::text;
  end if;
  if fraud_rule_fault.value -> 'mode' not in ('"off"', '"record"', '"enforce"') then
    return 'mode must be off, record or enforce';
  end if;
  for v_name in select n.name from jsonb_object_keys(fraud_rule_fault.default_value) n (name) where n.name <> 'mode' loop
    v_fault := case
      when c_bounds ? v_name then
        private.integer_fault(fraud_rule_fault.value -> v_name, (c_bounds #>> array[v_name, '0'])::bigint, (c_bounds #>> array[v_name, '1'])::bigint)
      when v_name = 'types' then private.number_types_fault(fraud_rule_fault.value -> v_name)
      else private.subjects_fault(fraud_rule_fault.value -> v_name, v_name = 'exempt')
    end;
    if v_fault is not null then
      return v_name || ' ' || v_fault;
    end if;
  end loop;
  return null;
end
$$;

comment on function private.fraud_rule_fault(jsonb, jsonb) is
$$What is wrong with the value of a fraud rule's setting; null when nothing is. default_value: of the setting, whose members it must have.$$;
