create or replace function private.route_of(otp_provider jsonb, phone text)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select r.code
  from jsonb_object_keys(route_of.otp_provider -> 'routes') r (code)
  where starts_with(route_of.phone, r.code)
  order by length(r.code) desc
  limit 1
$$;

comment on function private.route_of(jsonb, text) is
$$The route that OTP_PROVIDER has for a phone: the longest calling code that it begins with; null where there is none. otp_provider: the
setting's value. phone: E.164; an email address has no route.$$;
