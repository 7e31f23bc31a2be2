create or replace function private.routed_records(otp_provider jsonb)
returns setof jsonb
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select private.routed_record(routed_records.otp_provider, r.route)
  from (
    select null
    union all
    select k.code from jsonb_object_keys(routed_records.otp_provider -> 'routes') k (code)
  ) r (route)
  where routed_records.otp_provider is not null
  order by r.route collate "C" nulls first
$$;

comment on function private.routed_records(jsonb) is
$$What OTP_PROVIDER makes of itself: first the record for phones without a route, then that of each route. None for null.$$;
