begin;
select plan(18);
select test.clean_slate();
delete from private.worker_heartbeat;
create function pg_temp.answer(migration text default startup.installed_migration()) returns api.readiness_answer language sql
as $$ select test.call_as('latchkey_server', format('api.check_readiness(%L)', migration), null::api.readiness_answer) $$;
create function pg_temp.undelivered() returns text[] language sql as $$ select (pg_temp.answer()).undelivered $$;
create function pg_temp.failed(migration text default startup.installed_migration()) returns text[] language sql
as $$ select (pg_temp.answer(migration)).failed $$;

select is(pg_temp.undelivered(), array['worker'], 'without a worker no message is sent');
select delivery.heartbeat('one', true);
select is(pg_temp.undelivered(), array[]::text[], 'with one worker''s heartbeat messages are sent');
update private.worker_heartbeat set at = now() - interval '30 seconds';
select is(pg_temp.undelivered(), array['worker'], 'a heartbeat that is 30 seconds old does not count');
update private.worker_heartbeat set at = now() - interval '20 seconds';
select is(pg_temp.undelivered(), array[]::text[], 'a heartbeat that is 20 seconds old counts');

select delivery.heartbeat('one', false);
select is(pg_temp.undelivered(), array['provider'], 'a single worker that cannot send sends no message');
select delivery.heartbeat('two', true);
select is(pg_temp.undelivered(), array[]::text[], 'one worker that can send sends messages, although another cannot');
update private.worker_heartbeat set at = now() - interval '30 seconds' where worker = 'two';
select is(pg_temp.undelivered(), array['provider'], 'a worker that can send does not count once its heartbeat is too old');
select delivery.heartbeat('one', true);
select test.set_setting('EMAIL_DELIVERY', '"on"');
select delivery.heartbeat('one', true, array['console']);
update settings.configuration set value = value || '{"smtp": {"from": "codes@shop.example"}}' where key = 'OTP_PROVIDER';
select is(pg_temp.undelivered(), array['email'], 'email is turned on, and no worker has a mail server');
select delivery.heartbeat('one', true, array['console', 'smtp']);
select is(pg_temp.undelivered(), array[]::text[], 'one worker with a mail server sends emails');
update settings.configuration set value = value - 'smtp' where key = 'OTP_PROVIDER';
select is(pg_temp.undelivered(), array['email'], 'but not without a sender''s address');
delete from private.worker_heartbeat;
select is(pg_temp.undelivered(), array['worker'], 'without a worker only that is reported');
select test.set_setting('EMAIL_DELIVERY', '"off"');
select delivery.heartbeat('one', true, array['console']);
select is(pg_temp.undelivered(), array[]::text[], 'where email is off, nobody needs a mail server');
truncate settings.configuration;
select is(pg_temp.undelivered(), array['provider'],
  'deleting OTP_PROVIDER is seen before any worker''s next heartbeat');

update private.installation set restore_noticed_at = now();
select is(pg_temp.failed(), array['restored'], 'a restored database is not ready until that is settled');
update private.installation set restore_noticed_at = null;
select is(pg_temp.failed('9999_from_newer_version'), array['schema'],
  'a required migration that is not applied makes the server not ready, and a missing provider does not');
insert into migration.applied (name, run_on) values ('9999_from_newer_version', now());
select is(pg_temp.failed('9999_from_newer_version'), array[]::text[],
  'once the migration is applied the server is ready');
select is(pg_temp.failed('0001_schemas'), array[]::text[], 'a server that requires an older migration is ready');

-- Last, because it cannot be undone in this transaction
set transaction read only;
select throws_ok('select pg_temp.failed()', '25006', 'the database is read-only',
  'a read-only database is an error, after which the server closes the connection');
select * from finish();
rollback;
