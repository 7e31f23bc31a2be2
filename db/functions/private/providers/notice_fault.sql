create or replace function private.notice_fault(name text, template jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := template #>> '{}';
begin
  if jsonb_typeof(template) is distinct from 'string' or btrim(v_text) = '' then
    return format('%s must be a text', name);
  end if;
  if length(v_text) > private.longest_template() then
    return format('%s must be %s characters at most', name, private.longest_template());
  end if;
  if strpos(v_text, '{{') > 0 then
    return format('%s is a notice without a code: it may hold no {{…}}', name);
  end if;
  return null;
end
$$;

comment on function private.notice_fault(text, jsonb) is
$$What is wrong with a text of OTP_PROVIDER for a notice, which has no code; null when nothing is. name: where it stands in the record, as
messages name it.$$;
