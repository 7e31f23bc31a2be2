create or replace function delivery.providers_in_use()
returns setof delivery.provider
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
begin
  return query
  select p.name, p.options
  from (
    select n.name, coalesce(r.record -> n.name, '{}') as options, r.position as record, n.position
    from private.routed_records(v_record) with ordinality r (record, position), private.providers_of(r.record) with ordinality n (name, position)
    union all
    select 'smtp', coalesce(v_record -> 'smtp', '{}'), null, null
    where v_record is not null and private.setting('EMAIL_DELIVERY') = '"on"'
  ) p
  group by p.name, p.options
  -- As they are tried without a route, then what routes add.
  order by min(p.record), min(p.position);
end
$$;

comment on function delivery.providers_in_use() is
$$The providers that messages may be sent with, in the order in which they are tried, and their options: once for
each options that a route gives them; smtp last, where EMAIL_DELIVERY is
on. From these a worker decides whether it can send. Result: no row where OTP_PROVIDER is not set.$$;
grant execute on function delivery.providers_in_use() to latchkey_worker;
