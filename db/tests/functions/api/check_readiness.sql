begin;
select plan(11);
select test.clean_slate();
delete from private.worker_heartbeat;
create function pg_temp.failed(migration text default private.installed_migration()) returns text[] language sql
as $$ select (test.call_as('latchkey_server', format('api.check_readiness(%L)', migration), null::api.readiness_answer)).failed $$;

select is(pg_temp.failed(), array['worker'], 'a service without a worker is not ready');
select delivery.heartbeat('one', true);
select is(pg_temp.failed(), array[]::text[], 'one that has written its heartbeat makes it ready');
update private.worker_heartbeat set at = now() - interval '30 seconds';
select is(pg_temp.failed(), array['worker'], 'a heartbeat counts for 30 seconds');
update private.worker_heartbeat set at = now() - interval '29 seconds';
select is(pg_temp.failed(), array[]::text[], 'and not a second less');

select delivery.heartbeat('one', false);
select is(pg_temp.failed(), array['provider'], 'a worker that cannot send does not suffice');
select delivery.heartbeat('two', true);
select is(pg_temp.failed(), array[]::text[], 'one that can send is enough');
update private.worker_heartbeat set at = now() - interval '30 seconds' where worker = 'two';
select is(pg_temp.failed(), array['provider'], 'unless it is silent');
select delivery.heartbeat('one', true);
delete from settings.configuration where key = 'OTP_PROVIDER';
select is(pg_temp.failed(), array['provider'], 'a provider that is deleted shows before any worker has noticed');

select is(pg_temp.failed('9999_to_come'), array['provider', 'schema'], 'a migration that the server needs must be applied');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
insert into migration.applied (name, run_on) values ('9999_to_come', now());
select is(pg_temp.failed('9999_to_come'), array[]::text[], 'then all is ready');
select is(pg_temp.failed('0001_schemas'), array[]::text[], 'a server that needs less stays ready');

select * from finish();
rollback;
