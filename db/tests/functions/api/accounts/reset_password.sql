begin;
select plan(41);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
create function pg_temp.reset(phone text, otp text, client text default '192.0.2.1', length integer default 8, common boolean default false)
returns setof api.answer language sql
as $$ select * from api.reset_password(phone, otp, test.code_key(), test.prehash('new password'), length, common, client) $$;

-- The right code
create temp table session on commit drop as
  select a.id as account_id, s.* from "user".account a, generate_series(1, 2) n, test.open_session(case when n > 0 then a.id end) s;
create temp table guest on commit drop as select * from test.open_session(null);
select api.log_in(phone, test.prehash('incorrect'), client, 'test', null, null)
from (values ('+12025550101'), ('+12025550102')) p (phone), (values ('192.0.2.1'), ('192.0.2.2')) c (client);
create temp table before on commit drop as select * from "user".account;
create temp table code on commit drop as select test.send_code('+12025550101', 'PASSWORD_RESET') as code;
create temp table answer on commit drop as select a.* from code, test.call_as('latchkey_server', format(
  $$api.reset_password('+12025550101', %L, test.code_key(), test.prehash('new password'), 12, false, '192.0.2.1')$$, code), null::api.answer) a;
select is((select to_jsonb(answer) from answer), '{"error": null}', 'the right code resets the password');
select is((api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.5', 'test', null, null)).error.code, 'INVALID_REQUEST',
  'after a reset the old password is refused');
select is((api.log_in('+12025550101', test.prehash('new password'), '192.0.2.5', 'test', null, null)).error.code, null,
  'after a reset the new password logs in');
select is((select count(*)::integer from session s join "user".account a on a.id = s.account_id
    join "user".session stored on stored.id = s.session_id where a.phone = '+12025550101' and stored.revoked_at is null), 0,
  'a reset revokes every session of the user');
select is((select count(*)::integer from session s join "user".account a on a.id = s.account_id
    join "user".session stored on stored.id = s.session_id where a.phone = '+12025550102' and stored.revoked_at is null), 2,
  'a reset revokes no session of another user');
select is((select s.revoked_at from "user".session s join guest g on g.session_id = s.id), null,
  'a reset revokes no guest session');
select isnt((test.otp('+12025550101', 'PASSWORD_RESET')).verified_at, null, 'a reset marks the code as used');
select is(test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1')
    + test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2'), 0, 'a reset clears the phone''s failed logins');
select is(test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550102 192.0.2.1'), 1, 'a reset keeps another phone''s failed logins');
select ok(test.hits('LOGIN_FAILURES_PER_IP:192.0.2.1') = 2, 'a reset keeps the client''s failed logins');
select results_eq('select a.* from "user".account a where phone = ''+12025550102''',
  'select b.* from before b where phone = ''+12025550102''', 'a reset does not change another account');
select is((select row(a.email, a.phone_verified_at, a.created_at)::text from "user".account a where phone = '+12025550101'),
  (select row(b.email, b.phone_verified_at, b.created_at)::text from before b where phone = '+12025550101'),
  'a reset does not change email, phone_verified_at and created_at');
create temp table stored on commit drop as select password_hash from "user".account where phone = '+12025550101';
select is((select (error).code from code, pg_temp.reset('+12025550101', code)), 'OTP_ALREADY_USED',
  'a used code gets OTP_ALREADY_USED');
select is((select password_hash from "user".account where phone = '+12025550101'), (select password_hash from stored),
  'a used code does not change the password');

-- An account without a password, as a contested registration leaves it
update "user".account set password_hash = null where phone = '+12025550102';
select is((select (v.error).code from (select test.send_code('+12025550102', 'PASSWORD_RESET') as code) s, pg_temp.reset('+12025550102', code) v),
  null, 'a reset sets the first password of an account without one');
select is((api.log_in('+12025550102', test.prehash('new password'), '192.0.2.5', 'test', null, null)).error.code, null, 'the first password logs in');

-- The password rules are checked first, and a refused password costs no attempt
select test.clean_slate();
select test.make_account('+12025550101');
create temp table fresh on commit drop as select test.send_code('+12025550101', 'PASSWORD_RESET') as code;
select is((select r.*::text from fresh, pg_temp.reset('+12025550101', code, '192.0.2.1', length, common) r),
  row(private.error('INVALID_REQUEST', details::jsonb))::text, description)
from (values
  (7, false, '{"field": "newPassword", "reason": "too_short", "minimum": 8}', 'a new password that is too short is refused'),
  (257, false, '{"field": "newPassword", "reason": "too_long", "maximum": 256}', 'a new password that is too long is refused, not truncated'),
  (8, true, '{"field": "newPassword", "reason": "too_common"}', 'a common new password is refused')
) rule (length, common, details, description);
select is((select count(*)::integer from platform.rate_limit), 0, 'a refused password counts against no limit');
select is((select (r.error).code from pg_temp.reset('+12025550101', '12345', '192.0.2.1', 7) r), 'INVALID_REQUEST',
  'the password rules are checked before the code');
select is((test.otp('+12025550101', 'PASSWORD_RESET')).attempts, 0, 'a refused password costs the code no attempt');
select is((select (error).code from fresh, pg_temp.reset('+12025550101', code)), null,
  'after a refused password the same code works with a better one');

-- Without an account the responses are those of an account until the right code
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550103');
create temp table sent on commit drop as select phone, test.send_code(phone, 'PASSWORD_RESET') as code
  from (values ('+12025550101'), ('+12025550102'), ('+12025550103')) p (phone);
create temp table guess on commit drop as
  select phone, n, r.* from sent, generate_series(1, 6) n,
    pg_temp.reset(phone, case when n = 6 then code else test.wrong_code(code) end, '192.0.2.' || n) r;
select is((select array_agg(error::text order by n) from guess g where phone = unverified),
  (select array_agg(error::text order by n) from guess g where phone = '+12025550101'),
  'wrong codes get the same responses as for an account: ' || description)
from (values ('+12025550102', 'an unknown phone'), ('+12025550103', 'an unverified phone')) u (unverified, description);
select is((select array_agg((error).code order by n) from guess where phone = '+12025550101'),
  array['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'],
  'five wrong codes block the code, whatever the clients, and the right one gets MAX_ATTEMPTS_REACHED');
select is((select array_agg(attempts) from platform.otp_transaction), array[5, 5, 5],
  'wrong codes are counted equally with and without a verified account');
select test.clean_slate();
select test.make_registration('+12025550103');
create temp table nobody on commit drop as
  select phone, r.* from (select phone, test.send_code(phone, 'PASSWORD_RESET') as code
    from (values ('+12025550102'), ('+12025550103')) p (phone)) s, pg_temp.reset(phone, code) r;
select is((select array_agg(error::text) from nobody), array['(INVALID_OTP,)', '(INVALID_OTP,)'],
  'without a verified account the right code gets INVALID_OTP');
select is((select array_agg(attempts) from platform.otp_transaction), array[1, 1],
  'without a verified account the right code costs an attempt');
select is((select count(verified_at)::integer from platform.otp_transaction), 0,
  'without a verified account the right code is not marked as used');
select ok((select password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from private.pending_registration),
  'a reset does not change a pending registration');

-- Other errors
select test.clean_slate();
select test.make_account('+12025550101');
select is((select (error).code from pg_temp.reset('+12025550101', '1234567')), 'INVALID_OTP_FORMAT',
  'a code of seven digits gets INVALID_OTP_FORMAT');
select is((select (error).code from pg_temp.reset('+12025550101', '123456')), 'INVALID_OTP',
  'without a one-time password every code gets INVALID_OTP');
select is((select (r.error).code from (select test.send_code('+12025550101', 'SIGNUP') as code) s, pg_temp.reset('+12025550101', code) r),
  'INVALID_OTP', 'a code for another purpose gets INVALID_OTP');
create temp table late on commit drop as select test.send_code('+12025550101', 'PASSWORD_RESET') as code;
select test.age_otps('300 seconds');
select is((select (error).code from late, pg_temp.reset('+12025550101', code)), 'OTP_EXPIRED',
  'an expired code gets OTP_EXPIRED');
select test.age_otps('-1 second');
select is((select (error).code from late, pg_temp.reset('+12025550101', code)), null,
  'a code with one second left resets the password');
select test.set_setting('OTP_VERIFY_LIMIT', '"1/60"');
create temp table over on commit drop as
  select r.* from (select test.send_code('+12025550101', 'PASSWORD_RESET') as code) s, pg_temp.reset('+12025550101', code) r;
select is((select (error).code || ((error).details - 'retryAfterSeconds') from over),
  'RATE_LIMIT_EXCEEDED{"policy": "OTP_VERIFY_LIMIT", "seconds": 60, "requests": 1}',
  'over OTP_VERIFY_LIMIT the right code is refused');
select is((test.otp('+12025550101', 'PASSWORD_RESET')).verified_at, null, 'a code that a limit refused is not marked as used');
select throws_ok($$select api.reset_password('+12025550101', '123456', null, test.prehash('new'), 8, false, '192.0.2.7')$$, '22023', null,
  'reset_password raises an error without a code key');
select throws_ok($$select api.reset_password('+12025550101', '123456', '\x42', test.prehash('new'), 8, false, '192.0.2.8')$$, '22023', null,
  'reset_password raises an error for a code key that is too short');
select is((select a.error from pg_temp.reset('12025550101', '123456') a), private.error('INVALID_IDENTIFIER', '{"field": "phone"}'), 'a malformed phone is refused');

select * from finish();
rollback;
