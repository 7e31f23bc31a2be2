create or replace function private.texts_fault(value jsonb, what text, pattern text, example text)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
  v_text jsonb;
begin
  if jsonb_typeof(texts_fault.value) is distinct from 'array' or jsonb_array_length(texts_fault.value) > c_most then
    return format('must be an array of %s %s at most', c_most, texts_fault.what);
  end if;
  for v_text in select t.value from jsonb_array_elements(texts_fault.value) t loop
    if jsonb_typeof(v_text) <> 'string' or v_text #>> '{}' !~ texts_fault.pattern then
      return format('must hold %s, not %s', texts_fault.example, left(v_text::text, 40));
    end if;
  end loop;
  return null;
end
$$;

comment on function private.texts_fault(jsonb, text, text, text) is
$$What is wrong with the value of a setting that is a list of texts of one form; null when nothing is. what: their name. pattern: of each.
example: what they look like, for the sentence.$$;
