begin;
select plan(39);
select test.clean_slate();

-- PHONE
create temp table sent on commit drop as select * from test.call_as('latchkey_server',
  $$api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key())$$, null::api.otp_answer);
create temp table otp on commit drop as select * from platform.otp_transaction;
select is((select (error).code from sent), null, 'a code may be asked for');
select is((select count(*)::integer from otp), 1, 'one one-time password is recorded');
select is((select otp_id || ' ' || expires_at from sent), (select id || ' ' || expires_at from otp), 'the answer carries its id and end');
select is((select expires_at - created_at from otp), interval '5 minutes', 'it ends five minutes after its creation');
select is((select wait_seconds from sent), 10, 'the answer says how long to wait for the delivery');
select is((select row(identifier, identifier_type, purpose, attempts, awaited, delivery)::text from otp),
  '(+12025550101,PHONE,LOGIN,0,t,queued)', 'it is queued for the phone, and a request waits for it');
select is((select code_hash from otp), null, 'its code is not made yet');
select is((select current_since from otp), null, 'it replaces no other before it is delivered');
select is((select count(*)::integer from graphile_worker._private_jobs), 1, 'exactly one job is queued');
select results_eq('select * from test.queued_payloads() q', 'select jsonb_build_object(''otp_id'', id) from otp',
  'the job carries the id and nothing else');
select is((select hits from platform.rate_limit where key = 'OTP_SEND_PER_IDENTIFIER:+12025550101'), (select array[counted_at] from otp),
  'the send counts for the phone, at the moment that the record holds');
select is((select hits from platform.rate_limit where key = 'OTP_SEND_PER_IP:192.0.2.1'), (select array[counted_at] from otp),
  'and for the client');

-- Whether there is an account
select test.make_account('+12025550102');
create temp table to_account on commit drop as select * from api.send_otp('+12025550102', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key());
create temp table to_nobody on commit drop as select * from api.send_otp('+12025550103', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key());
select is((select to_jsonb(a) - 'otp_id' - 'expires_at' from to_account a), (select to_jsonb(n) - 'otp_id' - 'expires_at' from to_nobody n),
  'the answer is the same for a phone with an account and one without');
select is((select to_jsonb(test.otp('+12025550102', 'SIGNUP')) - array['id', 'identifier', 'counted_at', 'created_at', 'expires_at']),
  (select to_jsonb(test.otp('+12025550103', 'SIGNUP')) - array['id', 'identifier', 'counted_at', 'created_at', 'expires_at']),
  'so is the record');

-- EMAIL
select test.clean_slate();
create temp table stored on commit drop as
  select * from api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key());
select is((select (error).code from stored), null, 'a code for an email may be asked for');
select is((select wait_seconds from stored), null, 'nobody waits for a delivery');
select is((select row(id, identifier_type, delivery, awaited)::text from platform.otp_transaction),
  (select row(otp_id, 'EMAIL', 'stored', false)::text from stored), 'the code is stored');
select is((select length(code_hash) from platform.otp_transaction), 32, 'only as a hash');
select isnt((select current_since from platform.otp_transaction), null, 'and current at once');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'nothing is queued');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:someone@example.org'), 1, 'it counts for the email');
select throws_ok($$select api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', null)$$, '22023', null,
  'without a code key no code is stored');
select throws_ok($$select api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', '\x42')$$, '22023', null,
  'nor under a short one');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:someone@example.org'), 1, 'and such a fault counts nothing');

-- Limits: 3 an hour for an identifier, 10 for a client
select test.clean_slate();
select is((api.send_otp('+12025550101', 'PHONE', purpose, client, test.code_key())).error.code, null, 'send ' || n || ' to a phone is allowed')
from (values (1, 'LOGIN', '192.0.2.1'), (2, 'SIGNUP', '192.0.2.2'), (3, 'PASSWORD_RESET', '192.0.2.3')) send (n, purpose, client);
create temp table refused on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key());
select is((select (error).code from refused), 'RATE_LIMIT_EXCEEDED', 'the fourth is refused, whatever its purpose and client');
select is((select (error).details - 'retryAfterSeconds' from refused),
  '{"policy": "OTP_SEND_PER_IDENTIFIER", "requests": 3, "seconds": 3600}', 'the refusal names the limit');
select ok((select ((error).details ->> 'retryAfterSeconds')::integer between 3590 and 3600 from refused), 'and says when to come back');
select is((select row(otp_id, expires_at, wait_seconds)::text from refused), '(,,)', 'it carries no one-time password');
select is((select count(*) || ' ' || (select count(*) from graphile_worker._private_jobs) from platform.otp_transaction), '3 3',
  'it records and queues nothing');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.4'), 0, 'and counts against no other limit');
select test.age_rate_limits('3599 seconds');
select is((api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key())).error.code, 'RATE_LIMIT_EXCEEDED',
  'a second before the hour is over it is still refused');
select test.age_rate_limits('1 second');
select is((api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key())).error.code, null, 'after the hour it is allowed');

select api.send_otp('+1202555020' || i, 'PHONE', 'LOGIN', '192.0.2.4', test.code_key()) from generate_series(1, 9) i;
create temp table eleventh on commit drop as
  select * from api.send_otp('+12025550300', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key());
select is((select (error).details ->> 'policy' from eleventh), 'OTP_SEND_PER_IP', 'the eleventh send of a client within the hour is refused');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550300'), 0, 'and does not count for the phone');

-- Settings
select test.clean_slate();
select test.set_setting('OTP_SEND_PER_IDENTIFIER', '"1/60"');
select test.set_setting('OTP_TTL_SECONDS', '90');
select test.set_setting('OTP_SEND_TIMEOUT_SECONDS', '3');
create temp table other on commit drop as select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key());
select is((select wait_seconds || ' ' || (o.expires_at - o.created_at) from other, platform.otp_transaction o), '3 00:01:30',
  'lifetime and wait changed by SQL bite at the next send');
select is((api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key())).error.details - 'retryAfterSeconds',
  '{"policy": "OTP_SEND_PER_IDENTIFIER", "requests": 1, "seconds": 60}', 'so does a limit');

select * from finish();
rollback;
