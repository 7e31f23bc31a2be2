create or replace function private.longest_template()
returns integer
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select 1000
$$;

comment on function private.longest_template() is
$$The most characters of a text in OTP_PROVIDER, with a code or without one, before its placeholders are replaced.$$;
