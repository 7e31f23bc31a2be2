begin;
select plan(12);
select test.clean_slate();
delete from private.worker_heartbeat;
create function pg_temp.failed(migration text default private.installed_migration()) returns text[] language sql
as $$ select (test.call_as('latchkey_server', format('api.check_readiness(%L)', migration), null::api.readiness_answer)).failed $$;

select is(pg_temp.failed(), array['worker'], 'without a worker the service is not ready');
select delivery.heartbeat('one', true);
select is(pg_temp.failed(), array[]::text[], 'with one worker''s heartbeat the service is ready');
update private.worker_heartbeat set at = now() - interval '30 seconds';
select is(pg_temp.failed(), array['worker'], 'a heartbeat that is 30 seconds old does not count');
update private.worker_heartbeat set at = now() - interval '20 seconds';
select is(pg_temp.failed(), array[]::text[], 'a heartbeat that is 20 seconds old counts');

select delivery.heartbeat('one', false);
select is(pg_temp.failed(), array['provider'], 'a single worker that cannot send makes the service not ready');
select delivery.heartbeat('two', true);
select is(pg_temp.failed(), array[]::text[], 'one worker that can send makes the service ready, although another cannot');
update private.worker_heartbeat set at = now() - interval '30 seconds' where worker = 'two';
select is(pg_temp.failed(), array['provider'], 'a worker that can send does not count once its heartbeat is too old');
select delivery.heartbeat('one', true);
truncate settings.configuration;
select is(pg_temp.failed(), array['provider'],
  'deleting OTP_PROVIDER makes the service not ready before any worker''s next heartbeat');

select is(pg_temp.failed('9999_from_newer_version'), array['provider', 'schema'],
  'a required migration that is not applied makes the service not ready');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
insert into migration.applied (name, run_on) values ('9999_from_newer_version', now());
select is(pg_temp.failed('9999_from_newer_version'), array[]::text[],
  'once the provider is set and the migration is applied the service is ready');
select is(pg_temp.failed('0001_schemas'), array[]::text[], 'a server that requires an older migration is ready');

-- Last, because it cannot be undone in this transaction
set transaction read only;
select throws_ok('select pg_temp.failed()', '25006', 'the database is read-only',
  'a read-only database is an error, after which the server closes the connection');
select * from finish();
rollback;
