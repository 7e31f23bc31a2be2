create or replace function private.locales_fault(name text, locales jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_locale text;
  v_fault text;
begin
  if jsonb_typeof(locales_fault.locales) <> 'object' then
    return format('%s must be an object: texts by locale', locales_fault.name);
  end if;
  for v_locale in select jsonb_object_keys(locales_fault.locales) loop
    if not private.is_locale(v_locale) then
      return format('%s may have language tags such as de or pt-BR, and default, not %s', locales_fault.name, left(v_locale, 40));
    end if;
    v_fault := private.template_fault(
      format('%s.%s', locales_fault.name, v_locale), locales_fault.locales -> v_locale, split_part(locales_fault.name, '.', 2) <> all (private.notice_purposes())
    );
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;
  if (select count(*) <> count(distinct lower(l.locale)) from jsonb_object_keys(locales_fault.locales) l (locale)) then
    return format('%s has a locale twice: upper and lower case are the same', locales_fault.name);
  end if;
  return null;
end
$$;

comment on function private.locales_fault(text, jsonb) is
$$What is wrong with the texts of one purpose, by locale; null when nothing is. name: where they stand in OTP_PROVIDER.$$;
