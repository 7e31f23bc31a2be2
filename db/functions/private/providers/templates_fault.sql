create or replace function private.templates_fault(templates jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_purpose text;
  v_fault text;
begin
  if jsonb_typeof(templates_fault.templates) <> 'object' then
    return 'templates must be an object: texts by purpose and locale';
  end if;
  for v_purpose in select jsonb_object_keys(templates_fault.templates) loop
    if v_purpose <> all (private.text_purposes()) then
      return format('templates may have %s, not %s', array_to_string(private.text_purposes(), ', '), left(v_purpose, 40));
    end if;
    v_fault := private.locales_fault('templates.' || v_purpose, templates_fault.templates -> v_purpose);
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;
  if (select count(*) from jsonb_each(templates_fault.templates) p (purpose, locales), jsonb_object_keys(p.locales)) > private.most_texts() then
    return format('templates must have %s texts at most', private.most_texts());
  end if;
  return null;
end
$$;

comment on function private.templates_fault(jsonb) is
$$What is wrong with "templates" of OTP_PROVIDER, an object of texts by purpose and locale; null when nothing is.$$;
