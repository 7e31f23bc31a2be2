begin;
select plan(10);
select test.clean_slate();
create temp table otp on commit drop as select * from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now() - interval '1 second');
select results_eq('select * from platform.otp_transaction', 'select * from otp', 'queue_otp returns the row that it stored');
select is((select row(identifier, identifier_type, purpose, awaited, delivery, attempts)::text from otp),
  '(+12025550101,PHONE,LOGIN,t,queued,0)',
  'the one-time password is queued for the phone');
select is((select row(created_at, counted_at, expires_at)::text from otp),
  row(now() - interval '1 second', now() - interval '1 second', now() + interval '299 seconds')::text,
  'the one-time password was created when it was counted and expires after OTP_TTL_SECONDS');
select is((select row(code_hash, current_since, verified_at)::text from otp), '(,,)',
  'a queued one-time password has no code, is not current and is not used');
select results_eq('select * from test.queued_payloads()', 'select jsonb_build_object(''otp_id'', id) from otp',
  'queue_otp adds one job, which contains only the id');
select is((test.queue_otp('someone@example.org', 'EMAIL', 'LOGIN', true, now())).identifier_type, 'EMAIL',
  'a one-time password for an email address is queued too');
select is((test.queue_otp('+12025550101', 'PHONE', 'LOGIN', false, now())).awaited, false,
  'a one-time password that no request awaits is stored as not awaited');
select throws_ok($$select test.queue_otp('+12025550101', 'PHONE', 'GREETING', true, now())$$, '23514', null,
  'an unknown purpose raises an error');

select is((select row(languages, autofill)::text from otp), '({},)', 'languages and a line to fill the code in are optional');
select is((select row(o.languages, o.autofill)::text from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now(), array['de', 'en'], '@app.example.com') o),
  '("{de,en}",@app.example.com)', 'both are stored');

select * from finish();
rollback;
