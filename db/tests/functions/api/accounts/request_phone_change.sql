begin;
select plan(34);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
create temp table caller on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s where a.phone = '+12025550101';
create function pg_temp.request(phone text, password text default 'correct horse', client text default '192.0.2.1') returns setof api.otp_answer language sql
as $$ select a.* from caller c, api.request_phone_change(c.session_id, c.user_id, phone, test.prehash(password), client, test.code_key(), 'US', '{de}') a $$;

-- Sent, whether or not the phone has an account
create temp table answer on commit drop as select p.phone, a.* from caller c, (values ('+12025550102'), ('+12025550103')) p (phone), test.call_as('latchkey_server', format(
  $$api.request_phone_change(%L, %L, %L, test.prehash('correct horse'), '192.0.2.1', test.code_key(), 'US', '{de}')$$, c.session_id, c.user_id, p.phone), null::api.otp_answer) a;
select is((select array_agg((error).code) from answer), array[null, null]::text[], 'a code is sent to a phone with an account, and to one without');
select is((select array_agg(wait_seconds) from answer), array[10.0, 10.0], 'the caller waits for the delivery');
select is((select count(distinct to_jsonb(o) - array['id', 'identifier', 'counted_at', 'created_at', 'expires_at'])::integer from platform.otp_transaction o), 1,
  'both one-time passwords are alike');
select is((select row(o.purpose, o.account_id, o.awaited, o.delivery, o.languages)::text from platform.otp_transaction o limit 1),
  (select row('PHONE_CHANGE', user_id, true, 'queued', '{de}'::text[])::text from caller), 'it is bound to the account that asks');
select set_eq('select otp_id from answer', 'select id from platform.otp_transaction', 'the answer names it');
select set_eq('select * from test.queued_payloads()', 'select jsonb_build_object(''otp_id'', id) from platform.otp_transaction', 'a job is queued, which holds only the id');
select is((select jsonb_object_agg(key, totals[cardinality(totals)]) from platform.rate_limit), (select jsonb_build_object('LOGINS_PER_PHONE:' || user_id, 2, 'OTP_SEND_PER_IP:192.0.2.1', 2,
  'OTP_SEND_PER_IDENTIFIER:+12025550102', 1, 'OTP_SEND_PER_IDENTIFIER:+12025550103', 1) from caller), 'the right password counts as a login, and the code against both limits of sends');
select is((select array_agg(purpose || ' ' || verdict) from platform.send_decision), array['PHONE_CHANGE allowed', 'PHONE_CHANGE allowed'], 'the fraud rules have decided about the send');
select is((select phone from "user".account a join caller c on c.user_id = a.id), '+12025550101', 'the account keeps its phone until the code is typed');

-- Refused
select is((select (error).code || (error).details from pg_temp.request('12025550104')), 'INVALID_IDENTIFIER{"field": "newPhone"}', 'what is no phone is refused');
select is((select (error).code || (error).details from pg_temp.request('+12025550104', 'incorrect')), 'INVALID_REQUEST{"reason": "login_refused"}', 'a wrong password is refused as a login is');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 1, 'a wrong password counts as a failed login of the account''s phone');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1'), 2, 'a wrong password does not count as a send');
select is((select count(*)::integer from platform.otp_transaction), 2, 'and nothing is sent');
select test.set_setting('OTP_SEND_PER_IP', '"2/3600"');
select test.watch_bcrypt();
select is((select (error).details ->> 'policy' from pg_temp.request('+12025550104')), 'OTP_SEND_PER_IP', 'a spent limit of sends refuses');
select is(test.bcrypt_rounds(), 0::bigint, 'without bcrypt');
select test.set_setting('OTP_SEND_PER_IP', '"10/3600"'), test.set_setting('OTP_SEND_PER_IDENTIFIER', '"1/3600"');
select is((select (error).details ->> 'policy' from pg_temp.request('+12025550103')), 'OTP_SEND_PER_IDENTIFIER', 'a spent limit of sends to the new phone refuses');
select test.set_setting('LOGINS_PER_PHONE', '"2/300"');
select is((select (error).details ->> 'policy' from pg_temp.request('+12025550104')), 'LOGINS_PER_PHONE', 'a spent limit of logins refuses');
select test.set_setting('LOGINS_PER_PHONE', '"off"');
select is((select (error).code from caller c, api.request_phone_change(gen_random_uuid(), c.user_id, '+12025550104', test.prehash('correct horse'), '192.0.2.1', test.code_key(), 'US')),
  'SESSION_NOT_FOUND', 'without a session nothing is sent');
select test.set_setting('FRAUD_COOL_DOWN', test.rule('FRAUD_COOL_DOWN', '{"mode": "enforce"}'));
select test.set_setting('OTP_SEND_PER_IDENTIFIER', '"3/3600"');
select is((select (error).details ->> 'policy' from pg_temp.request('+12025550103')), 'FRAUD_COOL_DOWN', 'a fraud rule that is enforced refuses');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550103'), 1, 'a send that a fraud rule refuses is given back to the phone');
select is((select count(*)::integer from platform.send_decision where verdict = 'refused'), 1, 'and is recorded');
delete from settings.configuration where key = 'FRAUD_COOL_DOWN';
select test.set_setting('FRAUD_NUMBER_TYPES', test.rule('FRAUD_NUMBER_TYPES', '{"mode": "enforce"}'));
select is((select (error).details ->> 'policy' from caller c, api.request_phone_change(c.session_id, c.user_id, '+19002345678', test.prehash('correct horse'), '192.0.2.1', test.code_key(), 'US', number_type => 'PREMIUM_RATE')),
  'FRAUD_NUMBER_TYPES', 'so does one about types of numbers');
delete from settings.configuration where key = 'FRAUD_NUMBER_TYPES';

-- A test number
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550199": {"code": "123456", "until": "2100-01-01T00:00:00Z"}}');
create temp table sent on commit drop as select count(*)::integer as jobs from test.queued_payloads();
create temp table before on commit drop as select test.hits('OTP_SEND_PER_IP:192.0.2.1') as hits;
select is((select row((error).code, wait_seconds)::text from pg_temp.request('+12025550199')), '(,)', 'a test number is not waited for');
select is((select row(o.delivery, o.account_id)::text from test.otp('+12025550199', 'PHONE_CHANGE') o), (select row('test', user_id)::text from caller), 'its fixed code is bound to the account, too');
select is((select count(*)::integer from test.queued_payloads()), (select jobs from sent), 'and nothing is sent');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1') - (select hits from before), 1, 'it counts for the client');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550199'), 0, 'and not for the number');
select is((select (error).code from pg_temp.request('+12025550199', 'incorrect')), 'INVALID_REQUEST', 'a wrong password is refused for it as well');
select is((select array_agg(s.identifier) from private.verification_state s where s.identifier in ('+12025550102', '+12025550103', '+12025550199')), array['+12025550199'],
  'it waits for guesses at the code that it replaces, as no other number does');

-- An imported password
select test.clean_slate();
create temp table imported on commit drop as select s.session_id, s.user_id from test.import_account('+12025550105', 'its parameters') i (id), test.open_session(i.id) s;
create function pg_temp.request_imported(foreign_prehash text default null) returns text language sql
as $$ select (error).code from imported c, api.request_phone_change(c.session_id, c.user_id, '+12025550106', test.prehash('correct horse'), '192.0.2.1', test.code_key(), 'US', '{de}', foreign_prehash) $$;
select is(pg_temp.request_imported(), 'FOREIGN_PREHASH_REQUIRED', 'an imported hash needs its own pre-hash');
select is(pg_temp.request_imported(test.foreign_prehash('correct horse')), null, 'with that pre-hash the code is sent');

-- A reset revokes the session while the password is compared
select test.clean_slate();
create temp table late on commit drop as select s.session_id, s.user_id from test.make_account('+12025550101') a (id), test.open_session(a.id) s;
create or replace function private.admit_login(account "user".account, password_prehash text) returns boolean language plpgsql
as $$ begin perform private.revoke_sessions_of_user(account.id, null); return true; end $$;
select is((select (error).code from late, api.request_phone_change(
  session_id, user_id, '+12025550102', test.prehash('correct horse'), '192.0.2.1', test.code_key(), 'US', '{de}')), 'SESSION_REVOKED',
  'a session that is revoked while the password is compared is refused');
select is((select count(*)::integer from platform.otp_transaction), 0, 'and nothing is sent');

select * from finish();
rollback;
