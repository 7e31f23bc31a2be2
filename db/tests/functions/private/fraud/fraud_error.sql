begin;
select plan(5);
select test.clean_slate();
create function pg_temp.error(changes jsonb) returns api.error language sql as $$
  select private.fraud_error(jsonb_populate_record(null::platform.send_decision, to_jsonb(test.facts()) || changes)) $$;
select is((pg_temp.error('{"verdict": "allowed"}')).code, null, 'an allowed send has no error');
select is((pg_temp.error('{"verdict": "recorded", "rule": "FRAUD_COUNTRY"}')).code, null, 'a recorded send has no error');
select is((pg_temp.error('{"verdict": "refused", "rule": "FRAUD_COUNTRY"}')).code, 'RATE_LIMIT_EXCEEDED', 'a refused send has the error of a limit');
select is((pg_temp.error('{"verdict": "refused", "rule": "FRAUD_COUNTRY"}')).details, '{"policy": "FRAUD_COUNTRY", "retryAfterSeconds": 2370}',
  'the error names the rule and the time to wait, and nothing that it counted');
select is((pg_temp.error('{"verdict": "refused", "rule": "FRAUD_COOL_DOWN", "since_last": "12.4 seconds"}')).details ->> 'retryAfterSeconds', '18',
  'the rest of a cool-down is rounded up');

select * from finish();
rollback;
