create or replace function private.template_fault(name text, template jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := template #>> '{}';
  v_unknown text;
begin
  if jsonb_typeof(template) is distinct from 'string' or strpos(v_text, '{{code}}') = 0 then
    return format('%s must be a text that holds {{code}}', name);
  end if;
  if length(v_text) > private.longest_template() then
    return format('%s must be %s characters at most', name, private.longest_template());
  end if;
  v_unknown := (regexp_match(replace(replace(v_text, '{{code}}', ''), '{{minutes}}', ''), '\{\{.*?\}\}'))[1];
  if v_unknown is not null then
    return format('%s may hold {{code}} and {{minutes}}, not %s', name, left(v_unknown, 40));
  end if;
  return null;
end
$$;

comment on function private.template_fault(text, jsonb) is
$$What is wrong with one text of OTP_PROVIDER; null when nothing is. name: where it stands in the record, as messages name it.$$;
