create or replace function private.choose_locale(locales jsonb, languages text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Not by unnest and a join: PostgreSQL would plan the query at every call.
  v_tags text[] := array[]::text[];
begin
  for v_position in 1 .. coalesce(cardinality(choose_locale.languages), 0) loop
    v_tags := v_tags || private.language_lookup(choose_locale.languages[v_position]);
  end loop;
  return (
    select l.text
    from jsonb_each_text(choose_locale.locales) l (locale, text)
    where private.canonical_language(l.locale) = any (v_tags) or lower(l.locale) = 'default'
    order by array_position(v_tags, private.canonical_language(l.locale)) nulls last, l.locale
    limit 1
  );
end
$$;

comment on function private.choose_locale(jsonb, text[]) is
$$Of texts by locale the one for the first language that has one (RFC 4647, section 3.4), or that of the locale "default"; null where there
is neither. languages: the preferred one first.$$;
