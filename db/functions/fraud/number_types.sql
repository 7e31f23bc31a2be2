create or replace function fraud.number_types(setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return setting -> 'types' ? facts.number_type and not fraud.is_listed(setting -> 'exempt', facts);
end
$$;

comment on function fraud.number_types(jsonb, fraud.send_facts) is
$$FRAUD_NUMBER_TYPES: whether it refuses a phone because of its type. setting: its value. Result: null where the type is not known.$$;
