begin;
select plan(30);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');
create function pg_temp.log_in(phone text, otp text, client text default '192.0.2.1', guest uuid default null)
returns setof api.session_answer language sql
as $$ select * from api.log_in_by_otp(phone, otp, test.code_key(), client, null, 'agent', 'label', guest) $$;

-- The right code
create temp table code on commit drop as select test.send_code('+12025550101', 'LOGIN') as code;
create temp table session on commit drop as select a.* from code, test.call_as('latchkey_server', format(
  $$api.log_in_by_otp('+12025550101', %L, test.code_key(), '192.0.2.1', null, 'agent', 'label', null)$$, code), null::api.session_answer) a;
select is((select row((error).code, user_type, role, amr, created)::text from session), '(,user,user,{sms},f)', 'the right code logs in, by SMS');
select is((select user_id from session), (select id from "user".account), 'the session belongs to the phone''s account');
select is((select row(s.id, s.client, s.user_agent, s.label)::text from "user".session s), (select row(session_id, '192.0.2.1', 'agent', 'label')::text from session),
  'one session is stored, with the client''s details');
select is((select client from private.known_client), '192.0.2.1', 'the client is a known one from then on');
select isnt((test.otp('+12025550101', 'LOGIN')).verified_at, null, 'the code is used');
select ok((test.otp('+12025550101', 'LOGIN')).verified_at < (select authenticated_at from "user".session),
  'and was so before the session began: a story tells the cause first');
select is((select (error).code from code, pg_temp.log_in('+12025550101', code)), 'OTP_ALREADY_USED', 'a used code does not log in again');
select is((select count(*)::integer from "user".session), 1, 'a used code opens no second session');

-- Without an account the right code is a wrong one, while it opens none
select test.set_setting('SIGNUP_BY_CODE', '"off"');
create temp table sent on commit drop as
  select phone, test.send_code(phone, 'LOGIN') as code from (values ('+12025550102'), ('+12025550103')) p (phone);
select is((select array_agg((l.error).code order by phone) from sent, pg_temp.log_in(phone, code) l), array['INVALID_OTP', 'INVALID_OTP'],
  'the right code for an unverified or unknown phone gets INVALID_OTP');
select is((select array_agg(attempts) from platform.otp_transaction where identifier <> '+12025550101'), array[1, 1], 'without an account the right code costs an attempt');
select is((select array_agg(verified_at) from platform.otp_transaction where identifier <> '+12025550101'), array[null, null]::timestamptz[], 'without an account the right code is not used');
select is((select count(*)::integer from "user".session), 1, 'without an account the right code opens no session');

-- Codes of other purposes
select is((select (l.error).code from (select test.send_code('+12025550101', purpose, case purpose when 'PHONE_CHANGE' then a.id end) as code from "user".account a) c,
    pg_temp.log_in('+12025550101', code, '192.0.2.3') l), 'INVALID_OTP', 'a code of purpose ' || purpose || ' does not log in')
from unnest(array['SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE']) purpose;

-- Guests
create temp table guest on commit drop as select session_id as id from test.open_session(null);
select test.age_guesses('1 hour');
create temp table promoted on commit drop as
  select l.* from (select test.send_code('+12025550101', 'LOGIN') as code) c, guest, pg_temp.log_in('+12025550101', code, '192.0.2.4', guest.id) l;
select is((select promoted_session_id from promoted), (select id from guest), 'a guest''s session ends with the login');
create temp table second on commit drop as select test.send_code('+12025550101', 'LOGIN') as code;
select is((select (l.error).code from second, guest, pg_temp.log_in('+12025550101', code, '192.0.2.5', guest.id) l), 'SESSION_REVOKED',
  'a guest that was promoted already is refused');
select is((test.otp('+12025550101', 'LOGIN')).attempts, 0, 'for a promoted guest nothing is counted');
select is((select (l.error).code from second, pg_temp.log_in('+12025550101', code, '192.0.2.5') l), null, 'for a promoted guest the code is not used');

-- A recycled phone
select test.recycle('+12025550101');
create temp table recycled on commit drop as
  select l.* from (select test.send_code('+12025550101', 'LOGIN') as code) c, pg_temp.log_in('+12025550101', code, '192.0.2.6') l;
select is((select (error).code from recycled), 'INVALID_OTP', 'a code alone does not open an account that was not used for a long time');
select is((select count(*)::integer from "user".account where phone = '+12025550101'), 1, 'and the account keeps its phone');
select is((api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.6', 'agent', null, null)).error.code, null, 'its password still opens it');
create temp table later on commit drop as
  select l.* from (select test.send_code('+12025550101', 'LOGIN') as code) c, pg_temp.log_in('+12025550101', code, '192.0.2.6') l;
select is((select (error).code from later), null, 'after a login by password a code opens it again');

-- A guest that another request promotes meanwhile
select test.clean_slate();
select test.make_account('+12025550105');
create or replace function private.lock_guest(session_id uuid) returns api.error language sql as $$ select private.error('SESSION_REVOKED') $$;
select is((select (error).code from (select test.send_code('+12025550105', 'LOGIN') as code) sent, pg_temp.log_in('+12025550105', code)), 'SESSION_REVOKED',
  'a guest that another request promoted meanwhile is refused');
select is((test.otp('+12025550105', 'LOGIN')).verified_at, null, 'for a guest promoted meanwhile the code is not used');
select is((select count(*)::integer from "user".session), 0, 'for a guest promoted meanwhile no session is opened');

-- Turned off
select test.set_setting('LOGIN_BY_OTP', '"off"');
select is((select (error).code || (error).details from pg_temp.log_in('+12025550101', '123456')), 'INVALID_REQUEST{"reason": "not_enabled"}',
  'while LOGIN_BY_OTP is off there is no login by code');
select is((select (error).code from pg_temp.log_in('+12025550101', 'x')), 'INVALID_REQUEST', 'whatever the code');
select is((api.log_in_by_otp('12025550101', '123456', test.code_key(), '192.0.2.1', null, null, null, null)).error, private.error('INVALID_IDENTIFIER', '{"field": "phone"}'), 'a malformed phone is refused');
select is((api.log_in_by_otp('+12025550101', '123456', test.code_key(), '192.0.2.1', 'x', null, null, null)).error,
  private.error('INVALID_IDENTIFIER', '{"field": "email"}'), 'a malformed email is refused');

select * from finish();
rollback;
