create or replace function private.providers_of(otp_provider jsonb)
returns setof text
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select p.name
  from (
    select 0, providers_of.otp_provider ->> 'providerToUse'
    union all
    select f.n, f.name from jsonb_array_elements_text(providers_of.otp_provider -> 'fallback') with ordinality f (name, n)
  ) p (n, name)
  where p.name is not null
  order by p.n
$$;

comment on function private.providers_of(jsonb) is
$$The SMS providers that a value of OTP_PROVIDER names, in the order in which they are tried: providerToUse, then its fallback. None for
null.$$;
