create or replace function fraud.enforced_rules(rules jsonb)
returns jsonb
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_object_agg(r.name, case when r.value -> 'mode' = '"enforce"' then r.value else '{"mode": "off"}' end)
  from jsonb_each(rules) r (name, value)
$$;

comment on function fraud.enforced_rules(jsonb) is
$$The same rules, with those that refuse nothing turned off, so that a replay does not run them. rules: as fraud.rules_in_force().$$;
