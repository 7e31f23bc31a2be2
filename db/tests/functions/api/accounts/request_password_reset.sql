begin;
select plan(47);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550103');

-- Answer, row and job are the same for an account, an unknown phone and an unverified phone
create temp table answer on commit drop as
  select phone, a.error, a.otp_id
  from (values ('+12025550101'), ('+12025550102'), ('+12025550103')) p (phone),
    test.call_as('latchkey_server', format($$api.request_password_reset(%L, '192.0.2.1', test.code_key(), 'US')$$, phone), null::api.reset_request_answer) a;
select is((select array_agg(error::text) from answer), array_fill(null::text, array[3]),
  'the answer has no error for an account, an unknown phone and an unverified phone');
select set_eq('select otp_id from answer', 'select id from platform.otp_transaction',
  'the server learns the id of each one-time password, for its log');
create temp table record on commit drop as
  select o.identifier, to_jsonb(o) - array['id', 'identifier', 'counted_at', 'created_at', 'expires_at'] as other_columns,
    o.counted_at = o.created_at and o.expires_at = o.created_at + interval '5 minutes' as well_timed
  from platform.otp_transaction o;
select is((select count(*)::integer from record), 3, 'every reset request stores one one-time password');
select is((select count(distinct other_columns)::integer from record), 1, 'the stored one-time passwords do not differ');
select ok((select bool_and(well_timed) from record), 'every one-time password expires five minutes after its creation');
select is((select other_columns from record limit 1), '{"identifier_type": "PHONE", "purpose": "PASSWORD_RESET", "code_hash": null,
  "attempts": 0, "awaited": false, "delivery": "queued", "current_since": null, "verified_at": null, "answer_at": null, "languages": [], "autofill": null, "account_id": null, "channel": null, "voided_at": null}',
  'the one-time password is queued, has no code, is not current and is not awaited');
select set_eq('select * from test.queued_payloads()', 'select jsonb_build_object(''otp_id'', id) from platform.otp_transaction',
  'every reset request queues one job, which contains only the id');
select is((select count(distinct to_jsonb(j) - array['id', 'payload', 'key'])::integer from graphile_worker._private_jobs j), 1,
  'the queued jobs do not differ');
select is((select array_agg(cardinality(hits) order by key) from platform.rate_limit), array[1, 1, 1, 3],
  'every reset request counts against the limits of its phone and of the client');

-- The worker's part
create temp table message on commit drop as
  select o.identifier, m.body from platform.otp_transaction o, test.issue_code(o.id) m;
select is((select array_agg(identifier) from message where body is not null), array['+12025550101'],
  'the worker sends a code only to the verified account');
select test.record_delivery((test.otp('+12025550101', 'PASSWORD_RESET')).id, 'sent');
select is((private.check_otp(test.attempt('PHONE', phone, 'PASSWORD_RESET', test.wrong_code(body), '192.0.2.1')))::text,
  '("(INVALID_OTP,)",,,)', 'a wrong code for ' || phone || ' gets INVALID_OTP')
from answer, (select body from message where body is not null) sent;
select is((select array_agg(attempts) from platform.otp_transaction), array[1, 1, 1],
  'a wrong code costs every one-time password an attempt, with and without an account');

-- The limits of sending
select test.clean_slate();
select test.make_account('+12025550101');
create temp table code on commit drop as select test.send_code('+12025550101', 'PASSWORD_RESET') as code;
select api.request_password_reset('+12025550101', '192.0.2.' || i, test.code_key(), 'US') from generate_series(1, 3) i;
select is((select count(*)::integer from platform.otp_transaction where not awaited), 3, 'a phone gets three resets per hour');
select is((select to_jsonb(a) from api.request_password_reset('+12025550101', '192.0.2.4', test.code_key(), 'US') a),
  '{"error": null, "otp_id": null}', 'the answer to the fourth reset has no error');
select is((select count(*)::integer from platform.otp_transaction where not awaited), 3,
  'the fourth reset stores no one-time password');
select is((select count(*)::integer from test.queued_payloads()), 4, 'the fourth reset queues no job');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.4'), 0, 'the fourth reset does not count against the limit of the client');
select is((select (private.check_otp(test.attempt('PHONE', '+12025550101', 'PASSWORD_RESET', code, '192.0.2.1'))).error.code from code),
  null, 'a reset over the limit leaves the current code valid');
select is((api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.5', test.code_key(), 'US')).error.details ->> 'policy',
  'OTP_SEND_PER_IDENTIFIER', 'a reset counts against OTP_SEND_PER_IDENTIFIER, also for POST /otp/send');
select api.request_password_reset('+1202555020' || i, '192.0.2.9', test.code_key(), 'US') from generate_series(1, 11) i;
select is((select count(*)::integer from platform.otp_transaction where identifier like '+1202555020%'), 10,
  'a client gets ten resets per hour');

-- The sends of resets are never given back
select test.clean_slate();
select test.make_account('+12025550101');
select api.request_password_reset(phone, '192.0.2.1', test.code_key(), 'US') from (values ('+12025550101'), ('+12025550102')) p (phone);
select test.issue_code(o.id) from platform.otp_transaction o;
select test.record_delivery((test.otp('+12025550101', 'PASSWORD_RESET')).id, 'refused');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'a reset that the vendor refused still counts');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550102'), 1, 'a dropped reset still counts');
select is((select bool_and(current_since is not null) from platform.otp_transaction), true,
  'a one-time password of a reset becomes current whatever the outcome of its delivery');
select is((test.current_otp('PHONE', '+12025550102', 'PASSWORD_RESET')).delivery, 'dropped',
  'a dropped reset becomes current although there is no account');

-- Fraud rules
select test.clean_slate(), test.make_account('+12025550101');
select test.set_setting('FRAUD_COUNTRY', test.rule('FRAUD_COUNTRY', '{"mode": "enforce", "minimum": 1}'));
create function pg_temp.reset_all() returns void language sql as $$
  select api.request_password_reset(phone, '192.0.2.1', test.code_key(), 'US') from (values ('+12025550101'), ('+12025550102')) p (phone);
$$;
select pg_temp.reset_all(), pg_temp.reset_all();
select set_eq('select verdict from platform.send_decision', array['allowed'], 'FRAUD_COUNTRY leaves resets alone, with and without an account');
select set_eq('select count(*)::integer from platform.otp_transaction group by identifier', array[2], 'it leaves the same rows');
select is(test.count('all', 'hour', now()), '4 0', 'resets are counted as sends');
select test.set_setting('FRAUD_CALLING_CODES', test.rule('FRAUD_CALLING_CODES', '{"mode": "enforce", "blocked": ["+1"]}'));
select is((select to_jsonb(a) from api.request_password_reset('+12025550101', '192.0.2.1', test.code_key(), 'US') a), '{"error": null, "otp_id": null}', 'a refused reset answers as always');
select is((select verdict || ' ' || rule from platform.send_decision order by at desc limit 1), 'refused FRAUD_CALLING_CODES', 'the refusal is stored');
select is((select count(*)::integer from platform.otp_transaction), 4, 'a refused reset sends nothing');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 3, 'a refused reset is not given back');

-- Languages, and test numbers
select test.clean_slate();
select api.request_password_reset('+12025550101', '192.0.2.1', test.code_key(), 'US', array['de', 'en']);
select is((select languages from platform.otp_transaction), array['de', 'en'], 'the languages of the request are stored');
select test.clean_slate();
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select api.request_password_reset('+12025550101', '192.0.2.' || i, test.code_key(), 'US') from generate_series(1, 3) i;
select is((select to_jsonb(a) from api.request_password_reset('+12025550101', '192.0.2.4', test.code_key(), 'US') a),
  '{"error": null, "otp_id": null}', 'the answer for a test number has no error');
select is((select count(*) || ' ' || min(delivery) || ' ' || min(purpose) from platform.otp_transaction), '1 test PASSWORD_RESET',
  'resets of a test number share a row');
select is((select array_agg(key order by key) from platform.rate_limit), array(select 'OTP_SEND_PER_IP:192.0.2.' || i from generate_series(1, 4) i),
  'a reset of a test number counts for the client alone');
select is((select count(*)::integer from test.queued_payloads()), 0, 'a reset of a test number queues no job');

select test.clean_slate();
select test.set_setting('FRAUD_NUMBER_TYPES', test.rule('FRAUD_NUMBER_TYPES', '{"mode": "enforce"}'));
select api.request_password_reset('+19002345678', '192.0.2.1', test.code_key(), 'US', number_type => 'PREMIUM_RATE');
select is((select verdict || ' ' || rule from platform.send_decision), 'refused FRAUD_NUMBER_TYPES', 'a rule about types of numbers refuses a reset, too');
select is((api.request_password_reset('12025550101', '192.0.2.1', test.code_key(), 'US')).error,
  private.error('INVALID_IDENTIFIER', '{"field": "phone"}'), 'a malformed phone is refused');

create function hook.before_send(phone text, purpose text, client text) returns text language sql as $$ select purpose || ' refused' $$;
select is((api.request_password_reset(phone, '192.0.2.9', test.code_key(), 'US')).error,
  private.error('INVALID_REQUEST', '{"reason": "refused_by_hook", "hookReason": "PASSWORD_RESET refused"}'), 'the application''s hook refuses a reset of ' || phone)
from (values ('+12025550101'), ('+12025550109')) p (phone);

-- A proof
drop function if exists hook.before_send;
select test.clean_slate();
select test.set_setting('SEND_PROOF', '"all"');
create function pg_temp.reset_with(proof text, good boolean) returns text language sql as $$
  select (api.request_password_reset('+12025550191', '192.0.2.91', test.code_key(), 'US', proof_digest => sha256(proof::bytea), proof_is_good => good)).error.code
$$;
select is(pg_temp.reset_with(null, null), 'PROOF_REQUIRED', 'the server is asked for a proof, whether or not there is an account');
select is(pg_temp.reset_with('p', false), 'PROOF_REQUIRED', 'a bad one is none');
select is((select count(*)::integer from platform.otp_transaction), 0, 'and nothing is sent');
select is(pg_temp.reset_with('p', true), null, 'with a good one a code is');
select is((select count(*)::integer from platform.otp_transaction), 1, 'queued');

select * from finish();
rollback;
