create or replace function fraud.decide(rules jsonb, facts fraud.send_facts)
returns fraud.decision
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[] := fraud.rule_names();
  v_refusals boolean[] := fraud.refusals(decide.rules, facts);
  v_decision fraud.decision := row('allowed', null);
begin
  for v_position in 1 .. cardinality(v_names) loop
    if v_refusals[v_position] and decide.rules #>> array[v_names[v_position], 'mode'] = 'enforce' then
      return row('refused', v_names[v_position])::fraud.decision;
    end if;
    if v_refusals[v_position] and v_decision.rule is null then
      v_decision := row('recorded', v_names[v_position])::fraud.decision;
    end if;
  end loop;
  return v_decision;
end
$$;

comment on function fraud.decide(jsonb, fraud.send_facts) is
$$Whether a send is allowed: refused by the first rule in mode "enforce" that objects; where there is none, recorded with the first rule
in mode "record" that does. rules: as fraud.rules_in_force().$$;
