create or replace function private.longest_language_tag()
returns integer
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select 35
$$;

comment on function private.longest_language_tag() is
$$The most characters of a language tag, in a request or in OTP_PROVIDER: what RFC 5646, section 4.4.1, tells everybody to provide for.$$;
