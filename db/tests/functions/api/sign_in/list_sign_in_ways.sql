begin;
select plan(5);
select test.clean_slate();
create function pg_temp.ways(rp_id text default 'localhost') returns text[] language sql
as $$ select (test.call_as('latchkey_server', format('api.list_sign_in_ways(%L)', rp_id), null::api.sign_in_ways_answer)).ways $$;

select is(pg_temp.ways(), array['passkey'], 'by default a passkey signs in');
select is(pg_temp.ways(null), array[]::text[], 'but not where passkeys belong to no domain');
select test.set_setting('PASSKEY_SIGN_IN', '"off"');
select is(pg_temp.ways(), array[]::text[], 'nor where it is turned off');
select test.set_setting('EMAIL_DELIVERY', '"on"');
select test.set_setting('EMAIL_SIGN_IN', '"on"');
select is(pg_temp.ways(), array['email'], 'a verified email signs in where that is turned on');
select test.set_setting('PHONE_RECOVERY_BY_EMAIL', '"on"');
select is(pg_temp.ways(), array['email', 'phone_recovery'], 'and replaces a lost phone where that is on too');

select * from finish();
rollback;
