create or replace function fraud.rules_in_force()
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules jsonb;
begin
  select jsonb_object_agg(d.key, coalesce(c.value, d.default_value)) into v_rules
  from private.setting_definition d
  left join settings.configuration c on c.key = d.key
  where d.kind = 'fraud rule';
  return v_rules;
end
$$;

comment on function fraud.rules_in_force() is
$$The settings of all fraud rules in one object, by name: one statement instead of private.setting for each.$$;
