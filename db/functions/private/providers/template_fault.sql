create or replace function private.template_fault(name text, template jsonb, holds_code boolean default true)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := case when jsonb_typeof(template_fault.template) = 'string' then template_fault.template #>> '{}' end;
  v_unknown text := (regexp_match(replace(replace(v_text, '{{code}}', ''), '{{minutes}}', ''), '\{\{.*?\}\}'))[1];
begin
  return case
    when template_fault.holds_code and coalesce(strpos(v_text, '{{code}}'), 0) = 0 then
      format('%s must be a text that holds {{code}}', template_fault.name)
    when coalesce(btrim(v_text), '') = '' then format('%s must be a text', template_fault.name)
    when length(v_text) > private.longest_template() then
      format('%s must be %s characters at most', template_fault.name, private.longest_template())
    when not template_fault.holds_code and strpos(v_text, '{{') > 0 then
      format('%s is a notice without a code: it may hold no {{…}}', template_fault.name)
    when v_unknown is not null then
      format('%s may hold {{code}} and {{minutes}}, not %s', template_fault.name, left(v_unknown, 40))
  end;
end
$$;

comment on function private.template_fault(text, jsonb, boolean) is
$$What is wrong with one text of OTP_PROVIDER; null when nothing is. name: where it stands in the record, as messages name it.
holds_code: false for a notice.$$;
