create or replace function fraud.refusals(rules jsonb, facts fraud.send_facts)
returns boolean[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return array[
    rules #>> '{FRAUD_CALLING_CODES,mode}' <> 'off' and fraud.calling_codes(rules -> 'FRAUD_CALLING_CODES', facts),
    rules #>> '{FRAUD_BUDGET,mode}' <> 'off' and fraud.budget(rules -> 'FRAUD_BUDGET', facts),
    rules #>> '{FRAUD_COUNTRY,mode}' <> 'off' and fraud.country(rules -> 'FRAUD_COUNTRY', facts),
    rules #>> '{FRAUD_CLIENT,mode}' <> 'off' and fraud.client(rules -> 'FRAUD_CLIENT', facts),
    rules #>> '{FRAUD_COOL_DOWN,mode}' <> 'off' and fraud.cool_down(rules -> 'FRAUD_COOL_DOWN', facts),
    rules #>> '{FRAUD_NUMBER_TYPES,mode}' <> 'off' and fraud.number_types(rules -> 'FRAUD_NUMBER_TYPES', facts)
  ];
end
$$;

comment on function fraud.refusals(jsonb, fraud.send_facts) is
$$Whether each rule objects to a send, in mode "record" as in "enforce", in the order of fraud.rule_names(). rules: as
fraud.rules_in_force(). Result: false for a rule that is off, null for one whose facts are missing.$$;
