begin;
select plan(47);
select test.clean_slate();
create function pg_temp.verify(phone text, otp text, client text default '192.0.2.1', user_id uuid default null)
returns setof api.session_answer language sql
as $$ select * from api.verify_registration(phone, otp, test.code_key(), client, user_id, 'test', null, null) $$;

-- The right code
create temp table registration on commit drop as
  select * from api.register('+12025550101', 'someone@example.org', test.prehash('correct horse'), 13, false, '192.0.2.1');
create temp table code on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
create temp table session on commit drop as select a.* from code, test.call_as('latchkey_server',
  format($$api.verify_registration('+12025550101', %L, test.code_key(), '192.0.2.1', null, 'test', null, null)$$, code), null::api.session_answer) a;
select is((select (error).code from session), null, 'the right code confirms a registration');
select is((select row(user_id, user_type, role)::text from session), (select row(user_id, 'user', 'user')::text from registration),
  'the session belongs to the user id that register returned');
select is((select s.id from "user".session s), (select session_id from session), 'verifying stores one session');
select isnt((select phone_verified_at from "user".account), null, 'verifying sets phone_verified_at');
select is((select email from "user".account), 'someone@example.org', 'the account has the registration''s email');
select ok((select password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from "user".account),
  'the account has the registration''s password');
select isnt((test.otp('+12025550101', 'SIGNUP')).verified_at, null, 'verifying marks the code as used');
select is((select client from private.known_client), '192.0.2.1', 'verifying makes the client a known client');

select is((select (error).code from code, pg_temp.verify('+12025550101', code)), 'OTP_ALREADY_USED',
  'a used code gets OTP_ALREADY_USED');
select is((select count(*)::integer from "user".session), 1, 'a used code opens no second session');

-- A registered phone
create temp table stored on commit drop as select * from "user".account;
create temp table known on commit drop as
  select v.* from (select test.send_code('+12025550101', 'SIGNUP') as code) sent, pg_temp.verify('+12025550101', code) v;
select is((select (error).code || (error).details from known), 'INVALID_REQUEST{"reason": "already_registered"}',
  'the right code for a registered phone gets the reason already_registered');
select is((select session_id from known), null, 'a registered phone gets no session');
select isnt((test.otp('+12025550101', 'SIGNUP')).verified_at, null, 'the right code for a registered phone is marked as used');
select results_eq('select * from "user".account', 'select * from stored',
  'verifying a registered phone does not change its account');
select is((select (v.error).code from (select test.send_code('+12025550101', 'SIGNUP') as code) sent,
  pg_temp.verify('+12025550101', test.wrong_code(code), '192.0.2.2') v), 'INVALID_OTP',
  'a wrong code for a registered phone gets INVALID_OTP');

select is((v.error).code, 'SESSION_NOT_FOUND', 'a guest session that does not exist is refused')
from api.verify_registration('+12025550101', '123456', test.code_key(), '192.0.2.9', null, 'test', null, private.new_id()) v;
select is((select array_agg(l.key) from platform.rate_limit l where l.key like '%192.0.2.9'), null, 'before anything is counted');
select test.clean_slate(), test.make_account('+12025550101');
select v.* from (select test.send_code('+12025550101', 'SIGNUP') as code) sent, pg_temp.verify('+12025550101', code) v;
select isnt((select a.xmax::text from "user".account a), '0', 'the account of a registered phone is locked: it cannot be disabled or erased meanwhile');

-- Without a registration the responses are those of a registration until the right code
select test.clean_slate();
select api.register('+12025550102', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
create temp table sent on commit drop as
  select phone, test.send_code(phone, 'SIGNUP') as code from (values ('+12025550102'), ('+12025550103')) p (phone);
create temp table guess on commit drop as
  select phone, n, v.* from sent, generate_series(1, 6) n,
    pg_temp.verify(phone, case when n = 6 then code else test.wrong_code(code) end) v;
select is((select array_agg(to_jsonb(g) - 'phone' order by n) from guess g where phone = '+12025550102'),
  (select array_agg(to_jsonb(g) - 'phone' order by n) from guess g where phone = '+12025550103'),
  'wrong codes get the same responses whether or not the phone has a registration');
select is((select array_agg((error).code order by n) from guess where phone = '+12025550102'),
  array['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'],
  'five wrong codes get INVALID_OTP, and then even the right one gets MAX_ATTEMPTS_REACHED');
select is((select array_agg(attempts) from platform.otp_transaction), array[5, 5],
  'wrong codes are counted equally with and without a registration');
select is((select count(*)::integer from "user".account), 0, 'wrong codes confirm no registration');
select test.clean_slate();
create temp table nobody on commit drop as
  select v.* from (select test.send_code('+12025550103', 'SIGNUP') as code) s, pg_temp.verify('+12025550103', code) v;
select is((select to_jsonb(n) from nobody n),
  to_jsonb(row(private.error('INVALID_OTP'), null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)::api.session_answer),
  'without a registration the right code gets INVALID_OTP');
select is((test.otp('+12025550103', 'SIGNUP')).attempts, 1, 'without a registration the right code costs an attempt');
select is((test.otp('+12025550103', 'SIGNUP')).verified_at, null, 'without a registration the right code is not marked as used');

-- Other errors
select is((select (error).code from pg_temp.verify('+12025550104', '12345')), 'INVALID_OTP_FORMAT',
  'a code of five digits gets INVALID_OTP_FORMAT');
select is((select (error).code from pg_temp.verify('+12025550104', '123456')), 'INVALID_OTP',
  'without a one-time password every code gets INVALID_OTP');
select api.register('+12025550105', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
create temp table late on commit drop as select test.send_code('+12025550105', 'SIGNUP') as code;
select test.age_otps('300 seconds');
select is((select (error).code from late, pg_temp.verify('+12025550105', code)), 'OTP_EXPIRED',
  'an expired code gets OTP_EXPIRED');
select test.age_otps('-1 second');
select is((select (error).code from late, pg_temp.verify('+12025550105', code)), null,
  'a code with one second left confirms a registration');
select is((select (v.error).code from (select test.send_code('+12025550106', 'PASSWORD_RESET') as code) s, pg_temp.verify('+12025550106', code) v),
  'INVALID_OTP', 'a code for another purpose gets INVALID_OTP');
select test.set_setting('OTP_VERIFY_LIMIT', '"1/60"');
create temp table over on commit drop as
  select v.* from (select test.send_code('+12025550106', 'SIGNUP') as code) s, pg_temp.verify('+12025550106', code) v;
select is((select (error).code || ((error).details - 'retryAfterSeconds') from over),
  'RATE_LIMIT_EXCEEDED{"policy": "OTP_VERIFY_LIMIT", "seconds": 60, "requests": 1}',
  'over OTP_VERIFY_LIMIT the right code is refused');
select is((select session_id from over), null, 'a code that a limit refused opens no session');
select throws_ok($$select api.verify_registration('+12025550105', '123456', null, '192.0.2.7', null, 'test', null, null)$$, '22023', null,
  'verify_registration raises an error without a code key');

-- A registration expires after 24 hours
select test.clean_slate();
select api.register('+12025550101', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
select api.register('+12025550102', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours' where phone = '+12025550101';
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours' + interval '1 minute'
where phone = '+12025550102';
select is((select (v.error).code from (select test.send_code('+12025550101', 'SIGNUP') as code) s, pg_temp.verify('+12025550101', code) v),
  'INVALID_OTP', 'a registration that is 24 hours old cannot be confirmed');
select is((select count(*)::integer from "user".account where phone = '+12025550101'), 0,
  'a registration that is 24 hours old becomes no account');
select is((select (v.error).code from (select test.send_code('+12025550102', 'SIGNUP') as code) s, pg_temp.verify('+12025550102', code) v),
  null, 'a registration that is one minute younger than 24 hours can be confirmed');

-- REGISTRATION
select test.clean_slate();
select test.make_registration('+12025550181');
create temp table uninvited on commit drop as select test.send_code('+12025550181', 'SIGNUP') as code;
select test.set_setting('REGISTRATION', '"invited"');
create function pg_temp.verify() returns api.session_answer language sql as $$
  select api.verify_registration('+12025550181', code, test.code_key(), '192.0.2.1', null, null, null, null) from uninvited
$$;
select is((pg_temp.verify()).error::text, '(INVALID_OTP,)', 'a registration from before REGISTRATION was invited needs an invitation');
select is((test.otp('+12025550181', 'SIGNUP')).attempts, 1, 'without one the right code costs an attempt');
select "user".invite('+12025550181', 'ada@example.com');
update private.pending_registration set email = null;
select is((pg_temp.verify()).error::text, null, 'with one it opens the account');
select is((select email from "user".account), 'ada@example.com', 'which has the email of the invitation, because the registration had none');
select is((select count(*)::integer from "user".invitation), 0, 'the invitation is used up');

-- A guest that another request promotes meanwhile
select test.clean_slate();
select api.register('+12025550105', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
create or replace function private.lock_guest(session_id uuid) returns api.error language sql as $$ select private.error('SESSION_REVOKED') $$;
select is((select (error).code from (select test.send_code('+12025550105', 'SIGNUP') as code) sent, pg_temp.verify('+12025550105', code)), 'SESSION_REVOKED',
  'a guest that another request promoted meanwhile is refused');
select is((test.otp('+12025550105', 'SIGNUP')).verified_at, null, 'and the code is not used up');
select is((select array_agg(phone) from private.pending_registration), array['+12025550105'], 'and the registration still waits');
select is((select a.error from pg_temp.verify('12025550101', '123456') a), private.error('INVALID_IDENTIFIER', '{"field": "phone"}'), 'a malformed phone is refused');
select test.make_account('+12025550150');
update "user".account set disabled_at = now(), disabled_reason = 'test' where phone = '+12025550150';
create temp table disabled on commit drop as select test.send_code('+12025550150', 'SIGNUP') as code;
select is((select (a.error).code from disabled, pg_temp.verify('+12025550150', code, '192.0.2.50') a), 'INVALID_OTP', 'a disabled account is answered like an unknown phone');
select is((select row(attempts, verified_at)::text from test.otp('+12025550150', 'SIGNUP')), '(1,)', 'and the code is counted as a wrong one');

select * from finish();
rollback;
