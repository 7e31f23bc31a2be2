begin;
select plan(9);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table session on commit drop as select s.session_id as id from actor, test.open_session(actor.id) s;
delete from private.known_client;
create function pg_temp.send(phone text) returns setof api.otp_answer language sql
as $$ select s.* from actor, session, api.request_phone_change(session.id, actor.id, phone, test.prehash('correct horse'), '192.0.2.1', test.code_key(), 'US', '{fr}') s $$;
select is((select row((error).code, otp_id is not null, wait_seconds)::text from pg_temp.send('+12025550102')), '(,t,10)', 'a code is queued, and waited for');
select is((select row(o.account_id, o.languages)::text from test.otp('+12025550102', 'PHONE_CHANGE') o), (select row(id, '{fr}'::text[])::text from actor), 'for the account that asks');
select is((select count(*)::integer from platform.send_decision d join platform.otp_transaction o on o.id = d.otp_id), 1, 'the fraud rules'' decision names it');
select is((select known from platform.send_decision), false, 'the client is no known one because of a reset');
select test.set_setting('FRAUD_COOL_DOWN', test.rule('FRAUD_COOL_DOWN', '{"mode": "enforce"}'));
select is((select (error).code from pg_temp.send('+12025550102')), 'RATE_LIMIT_EXCEEDED', 'a fraud rule that is enforced refuses');
select is((select count(*)::integer from platform.otp_transaction), 1, 'and nothing is queued');
select test.set_setting('FRAUD_CALLING_CODES', test.rule('FRAUD_CALLING_CODES', '{"mode": "enforce", "blocked": ["+44"]}'));
select is((select (error).code from pg_temp.send('+447400123456')), 'RATE_LIMIT_EXCEEDED', 'a list refuses too');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550199": {"code": "123456", "until": "2100-01-01T00:00:00Z"}}');
create temp table sent on commit drop as select * from pg_temp.send('+12025550199');
select is((select row((s.error).code, s.wait_seconds, o.delivery, o.account_id is not null)::text from sent s join platform.otp_transaction o on o.id = s.otp_id),
  '(,,test,t)', 'a test number has its fixed code');

select set_eq('select phone, held_until from private.earlier_phone', $$values ('+12025550102', null::timestamptz), ('+12025550199', null), ('+447400123456', null)$$,
  'the phones that the account asked for are stored, also where nothing was sent');
select * from finish();
rollback;
