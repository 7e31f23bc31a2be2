begin;
select plan(9);
select test.clean_slate();
create temp table otp on commit drop as select * from private.queue_otp('+12025550101', 'LOGIN', true, now() - interval '1 second');
select results_eq('select * from platform.otp_transaction', 'select * from otp', 'the record stored is the one returned');
select is((select row(identifier, identifier_type, purpose, awaited, delivery, attempts)::text from otp), '(+12025550101,PHONE,LOGIN,t,queued,0)', 'it is queued for a phone');
select is((select row(created_at, counted_at, expires_at)::text from otp),
  row(now() - interval '1 second', now() - interval '1 second', now() + interval '299 seconds')::text, 'created when it was counted, for OTP_TTL_SECONDS');
select is((select row(code_hash, current_since, verified_at)::text from otp), '(,,)', 'without a code, not current, not used');
select results_eq('select * from test.queued_payloads()', 'select jsonb_build_object(''otp_id'', id) from otp', 'one job is queued, with the id and nothing else');
select is((select max_attempts::integer from graphile_worker._private_jobs), 5, 'to be tried five times at most');
select is((select row(j.job_queue_id, j.key, j.locked_at)::text from graphile_worker._private_jobs j), '(,,)', 'beside any other');
select is((private.queue_otp('+12025550101', 'LOGIN', false, now())).awaited, false, 'one that nobody waits for says so');
select throws_ok($$select private.queue_otp('+12025550101', 'GREETING', true, now())$$, '23514', null, 'a purpose that does not exist is refused');

select * from finish();
rollback;
