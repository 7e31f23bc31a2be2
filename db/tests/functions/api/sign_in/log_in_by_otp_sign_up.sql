begin;
select plan(40);
select test.clean_slate();
create function pg_temp.log_in(phone text, otp text, client text default '192.0.2.1', email text default null, guest uuid default null)
returns setof api.session_answer language sql
as $$ select * from api.log_in_by_otp(phone, otp, test.code_key(), client, email, 'agent', 'label', guest) $$;

-- A phone without an account
create temp table code on commit drop as select test.send_code('+12025550101', 'LOGIN') as code;
create temp table session on commit drop as select a.* from code, test.call_as('latchkey_server', format(
  $$api.log_in_by_otp('+12025550101', %L, test.code_key(), '192.0.2.1', 'ada@example.org', 'agent', 'label', null)$$, code), null::api.session_answer) a;
select is((select row((error).code, user_type, role, amr, created)::text from session), '(,user,user,{sms},t)', 'the right code signs up and logs in');
select is((select row(a.id, a.phone, a.email, a.password_hash)::text from "user".account a),
  (select row(user_id, '+12025550101', 'ada@example.org', null)::text from session), 'the session belongs to a new account, which has the email and no password');
select ok((select phone_verified_at between now() and clock_timestamp() and created_at = phone_verified_at from "user".account), 'its phone is verified now');
select is((select row(s.id, s.client, s.user_agent, s.label)::text from "user".session s), (select row(session_id, '192.0.2.1', 'agent', 'label')::text from session),
  'one session is stored, with the client''s details');
select is((select client from private.known_client), '192.0.2.1', 'the client is a known one from then on');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'it counts against REGISTER_PER_IP');
select isnt((test.otp('+12025550101', 'LOGIN')).verified_at, null, 'the code is used');
select is((select (error).code from code, pg_temp.log_in('+12025550101', code)), 'OTP_ALREADY_USED', 'a used code opens nothing again');

-- The next code
create temp table next on commit drop as
  select l.* from (select test.send_code('+12025550101', 'LOGIN') as code) c, pg_temp.log_in('+12025550101', code, '192.0.2.1', 'eve@example.org') l;
select is((select row((n.error).code, n.created, n.user_id = s.user_id)::text from next n, session s), '(,f,t)', 'the next code logs in to the same account');
select is((select email from "user".account), 'ada@example.org', 'which keeps its email');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'and counts no registration');

-- Wrong codes
select is((select (error).code from pg_temp.log_in('+12025550102', '000000', '192.0.2.2')), 'INVALID_OTP', 'a code that was not sent opens nothing');
select is((select (l.error).code from (select test.send_code('+12025550102', purpose) as code) c, pg_temp.log_in('+12025550102', code, '192.0.2.2') l), 'INVALID_OTP',
  'a code of purpose ' || purpose || ' opens nothing') from unnest(array['SIGNUP', 'PASSWORD_RESET']) purpose;
select is(test.hits('REGISTER_PER_IP:192.0.2.2'), 0, 'and counts no registration');
select is((select count(*)::integer from "user".account), 1, 'no account was opened');

select is((select (l.error).code || (l.error).details from (select test.send_code('+12025550102', 'LOGIN') as code) c, pg_temp.log_in('+12025550102', code, '192.0.2.2', 'eve') l),
  'INVALID_IDENTIFIER{"field": "email"}', 'the right code with a malformed email opens nothing');
select is((select row(attempts, verified_at)::text from platform.otp_transaction where identifier = '+12025550102' and purpose = 'LOGIN'), '(0,)', 'and stays good');

-- A registration that was never verified
select test.make_registration('+12025550103'), test.make_registration('+12025550103', 'another'), test.make_registration('+12025550104');
select is((select row((l.error).code, created)::text from (select test.send_code('+12025550103', 'LOGIN') as code) c, pg_temp.log_in('+12025550103', code) l), '(,t)',
  'the holder of a phone for which registrations wait signs up by code');
select is((select row(email, password_hash)::text from "user".account where phone = '+12025550103'), '(,)', 'the account has neither their password nor their email');
select is((select array_agg(phone) from private.pending_registration), array['+12025550104'], 'and they are gone, but none of another phone');

-- Accounts that nobody can sign in to
select test.make_account(phone) from unnest(array['+12025550105', '+12025550106', '+12025550107']) phone;
update "user".account set disabled_at = now(), disabled_reason = 'test' where phone = '+12025550105';
update "user".account set deletion_due_at = now() where phone = '+12025550106';
create temp table refused on commit drop as
  select phone, l.* from (select phone, test.send_code(phone, 'LOGIN') as code from unnest(array['+12025550105', '+12025550106']) phone) c, pg_temp.log_in(phone, code, '192.0.2.3') l;
select is((select array_agg((error).code) from refused), array['INVALID_OTP', 'INVALID_OTP'], 'for a disabled account, or one whose deletion is due, the right code is a wrong one');
select is((select array_agg(attempts) from platform.otp_transaction where identifier in ('+12025550105', '+12025550106')), array[1, 1], 'it costs an attempt');
select is(test.hits('REGISTER_PER_IP:192.0.2.3'), 0, 'and counts no registration');

-- A recycled phone
select test.recycle('+12025550107');
create temp table old on commit drop as select id from "user".account where phone = '+12025550107';
create temp table recycled on commit drop as
  select l.* from (select test.send_code('+12025550107', 'LOGIN') as code) c, pg_temp.log_in('+12025550107', code, '192.0.2.3') l;
select is((select row((r.error).code, r.created, r.user_id <> old.id)::text from recycled r, old), '(,t,t)', 'a recycled phone gets a new account');
select is((select phone from "user".account a join old using (id)), null, 'and is taken from its old one');

-- REGISTER_PER_IP
select test.set_setting('REGISTER_PER_IP', '"1/60"');
create temp table limited on commit drop as select test.send_code('+12025550108', 'LOGIN') as code;
select is((select row((error).code, (error).details ->> 'policy', session_id)::text from limited, pg_temp.log_in('+12025550108', code, '192.0.2.3')),
  '(RATE_LIMIT_EXCEEDED,REGISTER_PER_IP,)', 'over REGISTER_PER_IP the right code opens nothing');
select is((select (error).code from limited, pg_temp.log_in('+12025550108', test.wrong_code(code), '192.0.2.3')), 'INVALID_OTP', 'a wrong one is answered as everywhere');
select is((select row((error).code, created)::text from limited, pg_temp.log_in('+12025550108', code, '192.0.2.4')), '(,t)', 'the code is good for another client');
select is((select (l.error).code from (select test.send_code('+12025550108', 'LOGIN') as code) c, pg_temp.log_in('+12025550108', code, '192.0.2.4') l), null,
  'the limit does not apply to accounts that exist');
select test.set_setting('REGISTER_PER_IP', '"off"');

-- Guests
create temp table guest on commit drop as select session_id as id from test.open_session(null);
create temp table promoted on commit drop as
  select l.* from (select test.send_code('+12025550109', 'LOGIN') as code) c, guest, pg_temp.log_in('+12025550109', code, '192.0.2.5', null, guest.id) l;
select is((select row(p.promoted_session_id = g.id, p.created)::text from promoted p, guest g), '(t,t)', 'a guest''s session ends with the sign-up');
select is((select row(p.user_id, p.guest_session_id)::text from platform.guest_promotion p), (select row(p.user_id, g.id)::text from promoted p, guest g),
  'and the new account is recorded as who the guest became');

-- Test numbers
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550112": {"code": "123456", "until": "2999-01-01T00:00:00Z"}}');
select api.send_otp('+12025550112', 'PHONE', 'LOGIN', '192.0.2.6', test.code_key(), 'US');
select is((select row((error).code, created)::text from pg_temp.log_in('+12025550112', '123456', '192.0.2.6')), '(,t)', 'a fixed code signs up too');
select is((select verified_by_test_code from "user".account where phone = '+12025550112'), true, 'and its account is marked');
select is((select count(*)::integer from "user".account where verified_by_test_code), 1, 'accounts of codes that were sent are not');

-- A guest that another request promotes meanwhile
select test.clean_slate();
create or replace function private.lock_guest(session_id uuid) returns api.error language sql as $$ select private.error('SESSION_REVOKED') $$;
select is((select (error).code from (select test.send_code('+12025550110', 'LOGIN') as code) sent, pg_temp.log_in('+12025550110', code)), 'SESSION_REVOKED',
  'a guest that another request promoted meanwhile is refused');
select is((test.otp('+12025550110', 'LOGIN')).verified_at, null, 'for a guest promoted meanwhile the code is not used');
select is((select count(*)::integer from "user".account), 0, 'for a guest promoted meanwhile no account is opened');
select is((select count(*)::integer from "user".session), 0, 'and no session');

-- An account that an import makes meanwhile
create or replace function private.lock_guest(session_id uuid) returns api.error language sql as $$ select null::api.error $$;
create or replace function private.release_recycled_phone(phone text) returns boolean language plpgsql as $$
begin
  insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), phone, now());
  return true;
end $$;
create temp table imported on commit drop as
  select l.* from (select test.send_code('+12025550111', 'LOGIN') as code) c, pg_temp.log_in('+12025550111', code) l;
select is((select row((i.error).code, i.created, i.user_id = a.id)::text from imported i, "user".account a), '(,f,t)',
  'the code logs in to an account that an import makes meanwhile');

select * from finish();
rollback;
