create or replace function delivery.providers_in_use()
returns setof delivery.provider
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select p.name, private.provider_options(p.name)
  from unnest(
    private.provider_chain('PHONE') || case when private.setting('EMAIL_DELIVERY') = '"on"' then private.provider_chain('EMAIL') end
  ) with ordinality p (name, n)
  order by p.n;
end
$$;

comment on function delivery.providers_in_use() is
$$The providers that messages may be sent with, in the order in which they are tried, and their options; smtp last, where EMAIL_DELIVERY is
on. From these a worker decides whether it can send. Result: no row where OTP_PROVIDER is not set.$$;
grant execute on function delivery.providers_in_use() to latchkey_worker;
