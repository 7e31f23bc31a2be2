begin;
select plan(9);
delete from private.worker_heartbeat;
create function pg_temp.fault(before text, after text) returns text language sql
as $$ select private.unknown_to_workers_fault(before::jsonb, after::jsonb) $$;
create function pg_temp.named(provider text) returns text language sql
as $$ select 'no running worker has what ' || provider || ' needs in its environment. Start a worker with it first (docs/configuration.md)' $$;

select is(pg_temp.fault(null, '{"providerToUse": "twilio"}'), null, 'nothing is refused while no worker runs');
select delivery.heartbeat('old', true);
select is(pg_temp.fault(null, '{"providerToUse": "twilio"}'), null, 'nor where no worker has said what it can use');
select delivery.heartbeat('one', true, array['console', 'http']);
select is(pg_temp.fault(null, '{"providerToUse": "twilio"}'), pg_temp.named('twilio'), 'a provider that no worker can use is named');
select is(pg_temp.fault('{"providerToUse": "http"}', '{"providerToUse": "http", "fallback": ["vonage"]}'), pg_temp.named('vonage'),
  'so is one that becomes a fallback');
select is(pg_temp.fault('{"providerToUse": "twilio"}', '{"providerToUse": "twilio", "fallback": ["http"]}'), null,
  'one that was there already is not refused: a text can be repaired while credentials are missing');
select is(pg_temp.fault('{"providerToUse": "http"}', '{"providerToUse": "http", "routes": {"+91": {"fallback": ["aws-sns"]}}}'), pg_temp.named('aws-sns'), 'and one that a route names');
select delivery.heartbeat('two', true, array['twilio']);
select is(pg_temp.fault(null, '{"providerToUse": "twilio", "fallback": ["http"]}'), null, 'one worker for each provider is enough');
update private.worker_heartbeat set at = now() - interval '30 seconds' where worker = 'two';
select is(pg_temp.fault(null, '{"providerToUse": "twilio"}'), pg_temp.named('twilio'), 'a worker that is gone does not count');

set local role latchkey_admin;
select throws_ok($$update settings.configuration set value = value || '{"providerToUse": "aws-sns"}' where key = 'OTP_PROVIDER'$$, '23514',
  'OTP_PROVIDER: no running worker has what aws-sns needs in its environment. Start a worker with it first (docs/configuration.md)',
  'the admin''s write is refused with the sentence');
reset role;

select * from finish();
rollback;
