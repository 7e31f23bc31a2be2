create or replace function fraud.refusals(rules jsonb, facts fraud.send_facts)
returns boolean[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule text;
  v_refusals boolean[];
begin
  foreach v_rule in array fraud.rule_names() loop
    v_refusals := v_refusals || fraud.objects(v_rule, refusals.rules -> v_rule, facts);
  end loop;
  return v_refusals;
end
$$;

comment on function fraud.refusals(jsonb, fraud.send_facts) is
$$Whether each rule objects to a send (fraud.objects), in the order of fraud.rule_names(). rules: as fraud.rules_in_force().$$;
