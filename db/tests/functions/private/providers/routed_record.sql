begin;
select plan(4);
create function pg_temp.routed(route text) returns jsonb language sql as $$
  select private.routed_record('{"providerToUse": "http", "http": {"url": "https://a", "entityId": "1"}, "routes": {"+1": {"http": {"url": "https://b"}}, "+44": {}}}', route)
$$;
select is(pg_temp.routed(null), '{"providerToUse": "http", "http": {"url": "https://a", "entityId": "1"}}', 'without a route the record is as it is');
select is(pg_temp.routed('+1'), '{"providerToUse": "http", "http": {"url": "https://b"}}', 'a member of the route replaces that of the record, as a whole');
select is(pg_temp.routed('+44'), pg_temp.routed(null), 'an empty route changes nothing');
select is(private.routed_record(null, null), null, 'without OTP_PROVIDER there is none');
select * from finish();
rollback;
