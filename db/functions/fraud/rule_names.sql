create or replace function fraud.rule_names()
returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select array['FRAUD_CALLING_CODES', 'FRAUD_BUDGET', 'FRAUD_COUNTRY', 'FRAUD_CLIENT', 'FRAUD_COOL_DOWN', 'FRAUD_NUMBER_TYPES']
$$;

comment on function fraud.rule_names() is
$$The rules in their order: a refusal names the first one that refuses.$$;
