create or replace function private.text_ids_fault(name text, ids jsonb, pattern text, example text)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_purpose text;
  v_locale text;
  v_id jsonb;
  v_fault text := format('%s must be an object of ids by purpose and locale, as texts are in templates', text_ids_fault.name);
begin
  if jsonb_typeof(text_ids_fault.ids) is distinct from 'object' then
    return v_fault;
  end if;
  for v_purpose in select p.purpose from jsonb_object_keys(text_ids_fault.ids) p (purpose) loop
    if v_purpose <> all (private.text_purposes()) then
      return format('%s may have %s, not %s', text_ids_fault.name, array_to_string(private.text_purposes(), ', '), left(v_purpose, 40));
    end if;
    if jsonb_typeof(text_ids_fault.ids -> v_purpose) <> 'object' then
      return v_fault;
    end if;
    for v_locale, v_id in select l.locale, l.id from jsonb_each(text_ids_fault.ids -> v_purpose) l (locale, id) loop
      if not private.is_locale(v_locale) then
        return format('%s.%s may have language tags such as de or pt-BR, and default, not %s', text_ids_fault.name, v_purpose, left(v_locale, 40));
      end if;
      if jsonb_typeof(v_id) <> 'string' or v_id #>> '{}' !~ text_ids_fault.pattern then
        return format('%s.%s.%s must be an id such as %s', text_ids_fault.name, v_purpose, v_locale, text_ids_fault.example);
      end if;
    end loop;
  end loop;
  if (select count(*) from jsonb_each(text_ids_fault.ids) p (purpose, locales), jsonb_object_keys(p.locales)) > private.most_texts() then
    return format('%s must have %s ids at most', text_ids_fault.name, private.most_texts());
  end if;
  return null;
end
$$;

comment on function private.text_ids_fault(text, jsonb, text, text) is
$$What is wrong with a vendor's ids of the texts, by purpose and locale; null when nothing is. name: of the option, as messages name it.
pattern: of an id. example: of one.$$;
