create or replace function private.rate_limit_retention()
returns interval
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select max(make_interval(secs => split_part(l.value, '/', 2)::integer))
  from private.setting_definition d,
  lateral (values (private.setting(d.key) #>> '{}')) l (value)
  where d.kind in ('limit', 'limit or off') and l.value <> 'off'
$$;

comment on function private.rate_limit_retention() is
$$The longest period of any limit in force: a rate limit without a hit for that long is spent.$$;
