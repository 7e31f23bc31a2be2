begin;
select plan(63);
select test.clean_slate();

-- A code for a phone
create temp table sent on commit drop as select * from test.call_as('latchkey_server',
  $$api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US')$$, null::api.otp_answer);
create temp table otp on commit drop as select * from platform.otp_transaction;
select is((select (error).code from sent), null, 'anyone can request a code for a phone');
select is((select count(*)::integer from otp), 1, 'a request stores one one-time password');
select is((select otp_id || ' ' || expires_at from sent), (select id || ' ' || expires_at from otp),
  'the answer contains the id and expiry time of the one-time password');
select is((select expires_at - created_at from otp), interval '5 minutes',
  'a one-time password expires five minutes after its creation');
select is((select wait_seconds from sent), 10.0, 'the answer says how many seconds the request waits for the delivery');
select is((select row(identifier, identifier_type, purpose, attempts, awaited, delivery)::text from otp),
  '(+12025550101,PHONE,LOGIN,0,t,queued)', 'the one-time password is queued for the phone and awaited by the request');
select is((select code_hash from otp), null, 'a queued one-time password has no code yet');
select is((select current_since from otp), null, 'a queued one-time password is not current');
select is((select count(*)::integer from graphile_worker._private_jobs), 1, 'a request queues exactly one job');
select results_eq('select * from test.queued_payloads() q', 'select jsonb_build_object(''otp_id'', id) from otp',
  'the job contains only the id of the one-time password');
select is((select hits from platform.rate_limit where key = 'OTP_SEND_PER_IDENTIFIER:+12025550101'), (select array[counted_at] from otp),
  'the send counts against the phone''s limit, at the time that the row stores');
select is((select hits from platform.rate_limit where key = 'OTP_SEND_PER_IP:192.0.2.1'), (select array[counted_at] from otp),
  'the send counts against the client''s limit, at the time that the row stores');

-- The response does not reveal whether there is an account
select test.make_account('+12025550102');
create temp table to_account on commit drop as select * from api.send_otp('+12025550102', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key(), 'US');
create temp table to_nobody on commit drop as select * from api.send_otp('+12025550103', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key(), 'US');
select is((select to_jsonb(a) - 'otp_id' - 'expires_at' from to_account a), (select to_jsonb(n) - 'otp_id' - 'expires_at' from to_nobody n),
  'the answer is the same for a phone with an account and one without');
select is((select to_jsonb(test.otp('+12025550102', 'SIGNUP')) - array['id', 'identifier', 'counted_at', 'created_at', 'expires_at']),
  (select to_jsonb(test.otp('+12025550103', 'SIGNUP')) - array['id', 'identifier', 'counted_at', 'created_at', 'expires_at']),
  'the stored row is the same for a phone with an account and one without');

-- A code for an email address
select test.clean_slate();
create temp table stored on commit drop as
  select * from api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key(), null);
select is((select (error).code from stored), null, 'anyone can request a code for an email address');
select is((select wait_seconds from stored), null, 'a request for an email address waits for no delivery');
select is((select row(id, identifier_type, delivery, awaited)::text from platform.otp_transaction),
  (select row(otp_id, 'EMAIL', 'stored', false)::text from stored),
  'a one-time password for an email address is stored and not awaited');
select is((select length(code_hash) from platform.otp_transaction), 32, 'the code for an email address is stored only as a hash');
select isnt((select current_since from platform.otp_transaction), null,
  'a one-time password for an email address is current at once');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'a request for an email address queues no job');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:someone@example.org'), 1,
  'a request for an email address counts against the limit of that address');
select throws_ok($$select api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', null, null)$$, '22023', null,
  'send_otp raises an error without a code key');
select throws_ok($$select api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', '\x42', null)$$, '22023', null,
  'send_otp raises an error for a code key that is too short');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:someone@example.org'), 1, 'a request that raises an error counts against no limit');

select is((s.error).code || (s.error).details, 'INVALID_IDENTIFIER{"field": "input.identifier"}', format('%s is no %s', coalesce(identifier, 'null'), type))
from (values ('EMAIL', 'ada'), ('EMAIL', null), ('EMAIL', '+12025550101'), ('PHONE', 'someone@example.org')) malformed (type, identifier),
  api.send_otp(identifier, type, 'LOGIN', '192.0.2.9', test.code_key(), null) s;
select is(test.hits('OTP_SEND_PER_IP:192.0.2.9'), 0, 'a malformed identifier counts against no limit');

-- Limits: 3 per hour and identifier, 10 per hour and client
select test.clean_slate();
select is((api.send_otp('+12025550101', 'PHONE', purpose, client, test.code_key(), 'US')).error.code, null,
  'send ' || n || ' to a phone within an hour is allowed')
from (values (1, 'LOGIN', '192.0.2.1'), (2, 'SIGNUP', '192.0.2.2'), (3, 'PASSWORD_RESET', '192.0.2.3')) send (n, purpose, client);
create temp table refused on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key(), 'US');
select is((select (error).code from refused), 'RATE_LIMIT_EXCEEDED',
  'the fourth send to a phone within an hour is refused, whatever its purpose and client');
select is((select (error).details - 'retryAfterSeconds' from refused),
  '{"policy": "OTP_SEND_PER_IDENTIFIER", "requests": 3, "seconds": 3600}', 'the error details name the rate limit');
select ok((select ((error).details ->> 'retryAfterSeconds')::integer between 3590 and 3600 from refused),
  'the error details say after how many seconds to retry');
select is((select row(otp_id, expires_at, wait_seconds)::text from refused), '(,,)',
  'a refused request returns no one-time password');
select is((select count(*) || ' ' || (select count(*) from graphile_worker._private_jobs) from platform.otp_transaction), '3 3',
  'a refused request stores no one-time password and queues no job');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.4'), 0, 'a refused request does not count against the client''s limit');
select test.age_rate_limits('3599 seconds');
select is((api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key(), 'US')).error.code, 'RATE_LIMIT_EXCEEDED',
  'one second before the hour is over a send is still refused');
select test.age_rate_limits('1 second');
select is((api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key(), 'US')).error.code, null,
  'when the hour is over a send is allowed');

select api.send_otp('+1202555020' || i, 'PHONE', 'LOGIN', '192.0.2.4', test.code_key(), 'US') from generate_series(1, 9) i;
create temp table eleventh on commit drop as
  select * from api.send_otp('+12025550300', 'PHONE', 'LOGIN', '192.0.2.4', test.code_key(), 'US');
select is((select (error).details ->> 'policy' from eleventh), 'OTP_SEND_PER_IP',
  'the eleventh send of a client within an hour is refused');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550300'), 0,
  'a send that the client''s limit refuses does not count for the phone');

-- Languages and the line that a phone fills the code in by
select test.clean_slate();
select test.set_setting('OTP_ORIGINS', '["https://app.example.com"]');
select test.set_setting('OTP_APP_HASHES', '["FA+9qCX9VSu"]');
create function pg_temp.send(type text, origin text, hash text) returns api.otp_answer language sql
as $$ select api.send_otp(case type when 'PHONE' then '+12025550101' else 'ada@example.com' end, type, 'LOGIN', '192.0.2.1', test.code_key(), case type when 'PHONE' then 'US' end, '{de,en}', origin, hash) $$;
select is(((pg_temp.send(type, origin, hash)).error)::text,
  '(INVALID_REQUEST,"{""field"": ""input.autofill"", ""reason"": ""autofill_not_allowed""}")', what)
from (values
  ('PHONE', 'https://evil.example', null, 'an origin that is not allowed is refused'),
  ('PHONE', null, 'FA+9qCX9VSv', 'an app that is not allowed is refused'),
  ('EMAIL', 'https://app.example.com', null, 'only an SMS can fill a code in')
) t (type, origin, hash, what);
select is((select count(*)::integer from platform.rate_limit), 0, 'a refused target counts against no limit');
select is((select count(*)::integer from platform.otp_transaction), 0, 'and stores nothing');
select is((pg_temp.send('PHONE', 'https://app.example.com', null)).error, null, 'an allowed origin is taken');
select is((pg_temp.send('PHONE', null, 'FA+9qCX9VSu')).error, null, 'an allowed app is taken');
select is((select array_agg(row(languages, autofill)::text order by id) from platform.otp_transaction),
  array['("{de,en}",@app.example.com)', '("{de,en}",FA+9qCX9VSu)'], 'languages and target are stored with the one-time password');
select is((pg_temp.send('PHONE', null, null)).error, null, 'the third send is the last that the limit allows');
select is((pg_temp.send('PHONE', 'https://evil.example', null)).error.code, 'INVALID_REQUEST', 'a target is refused before a limit refuses');

-- Test numbers
select test.clean_slate();
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
create temp table test_sends on commit drop as
  select s.* from generate_series(1, 12) i, lateral api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.' || (i % 2), test.code_key(), 'US') s;
select is((select count(*)::integer from test_sends where error is null and otp_id is not null and expires_at is not null and wait_seconds is null), 12,
  'sends to a test number are answered beyond its own limit, and wait for nothing');
select is((select count(*) || ' ' || min(delivery) from platform.otp_transaction), '1 test', 'they share a row');
select is((select count(*)::integer from test.queued_payloads()), 0, 'nothing is sent');
select is((select array_agg(key || ' ' || test.hits(key) order by key) from platform.rate_limit),
  array['OTP_SEND_PER_IP:192.0.2.0 6', 'OTP_SEND_PER_IP:192.0.2.1 6'], 'and count for their clients alone');
select is((select count(*)::integer from generate_series(1, 10) i, lateral api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.' || (i % 2), test.code_key(), 'US') s
  where (s.error).code = 'RATE_LIMIT_EXCEEDED'), 2, 'whose limit refuses more');
select is((api.send_otp('+12025550102', 'PHONE', 'LOGIN', '192.0.2.2', test.code_key(), 'US')).wait_seconds, 10.0, 'other numbers are sent to');

-- One mailbox in many spellings
select test.clean_slate();
create temp table spelled on commit drop as select s.* from unnest(array['ada@gmail.com', 'a.da@gmail.com', 'ada+1@googlemail.com', 'ad.a+2@gmail.com']) e,
  lateral api.send_otp(e, 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key(), null) s;
select is((select array_agg((error).details ->> 'policy') from spelled), array[null, null, null, 'OTP_SEND_PER_IDENTIFIER'], 'all spellings of a mailbox share its limit');
select set_eq('select identifier from platform.otp_transaction', array['ada@gmail.com', 'a.da@gmail.com', 'ada+1@googlemail.com'],
  'and each is stored as typed');

-- Settings
select test.clean_slate();
select test.set_setting('OTP_SEND_PER_IDENTIFIER', '"1/60"');
select test.set_setting('OTP_TTL_SECONDS', '90');
select test.set_setting('OTP_SEND_TIMEOUT_SECONDS', '3');
create temp table other on commit drop as select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
select is((select wait_seconds || ' ' || (o.expires_at - o.created_at) from other, platform.otp_transaction o), '3 00:01:30',
  'changes of OTP_TTL_SECONDS and OTP_SEND_TIMEOUT_SECONDS apply to the next request');
select is((api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US')).error.details - 'retryAfterSeconds',
  '{"policy": "OTP_SEND_PER_IDENTIFIER", "requests": 1, "seconds": 60}',
  'a change of OTP_SEND_PER_IDENTIFIER applies to the next request');

-- Only the hash of an email address's code is stored: a function that makes sevens shows how many digits it has
select test.clean_slate();
select test.set_setting('OTP_LENGTH', '8');
create or replace function private.make_code(length integer) returns text language sql as $$ select repeat('7', $1) $$;
select api.send_otp('digits@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key(), null);
select is((select o.code_hash = private.hash_code(o.id, '77777777', test.code_key()) from platform.otp_transaction o), true, 'the code of an email address has OTP_LENGTH digits');

select * from finish();
rollback;
