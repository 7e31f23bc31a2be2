create or replace function private.routed_record(otp_provider jsonb, route text)
returns jsonb
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select (routed_record.otp_provider - 'routes') || coalesce(routed_record.otp_provider #> array['routes', routed_record.route], '{}')
$$;

comment on function private.routed_record(jsonb, text) is
$$The OTP_PROVIDER that is in force on a route: each member of the route replaces the whole member of the record. otp_provider: the setting's
value. route: private.route_of; null: none.$$;
