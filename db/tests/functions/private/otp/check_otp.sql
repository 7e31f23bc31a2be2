begin;
select plan(54);
select test.clean_slate();
create function pg_temp.check(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP')
returns setof api.otp_answer language sql
as $$ select * from private.check_otp(test.attempt('PHONE', phone, purpose, code, client)) $$;
create function pg_temp.error(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP')
returns text language sql
as $$ select (error).code from pg_temp.check(phone, code, client, purpose) $$;

-- The right code
create temp table sent on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select row((c.error).code, (c.error).details, c.otp_id, c.expires_at)::text from sent, pg_temp.check('+12025550101', code) c),
  (select row(null, null, o.id, o.expires_at)::text from platform.otp_transaction o),
  'the right code returns the one-time password''s id and expiry time');
select is((select row(attempts, verified_at)::text from platform.otp_transaction), '(0,)',
  'check_otp leaves it to the caller to mark the right code as used');
select is((select jsonb_object_agg(key, cardinality(hits)) from platform.rate_limit),
  '{"OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1": 1, "OTP_VERIFY_PER_IP:192.0.2.1": 1}',
  'a verification counts per identifier, purpose and client, and per client');
select is((select private.check_otp(test.attempt('PHONE', '+12025550101', 'SIGNUP', code, '192.0.2.2', code_key => decode(repeat('43', 32), 'hex'))) from sent)::text,
  '("(INVALID_OTP,)",,,)', 'the right code under another code key gets INVALID_OTP');

-- Format
select test.clean_slate();
create temp table formed on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is(pg_temp.error('+12025550101', code), 'INVALID_OTP_FORMAT', 'a code is six digits and nothing else, not ' || what)
from (values ('five digits', '12345'), ('seven digits', '1234567'), ('letters', '12345a'), ('nothing', ''), ('a blank before them', ' 123456'),
  ('a line''s end after them', E'123456\n'), ('other scripts'' digits', '١٢٣٤٥٦'), ('a sign', '-12345')) c (what, code);
select is((select count(*)::integer from platform.rate_limit), 0, 'a malformed code counts against no limit');
select is((select attempts from platform.otp_transaction), 0, 'a malformed code costs no attempt');
select is(pg_temp.error('+12025550199', '12345'), 'INVALID_OTP_FORMAT',
  'a malformed code gets INVALID_OTP_FORMAT although there is no one-time password');
select test.set_setting('OTP_LENGTH', '8');
select is((select pg_temp.error('+12025550101', code) from formed), 'INVALID_OTP_FORMAT',
  'a change of OTP_LENGTH applies at once: six digits are malformed');
select is(pg_temp.error('+12025550101', '12345678'), 'INVALID_OTP',
  'a change of OTP_LENGTH applies at once: eight digits are well-formed');

-- No one-time password, or not the current one
select test.clean_slate();
select is((select c.*::text from pg_temp.check('+12025550101', '123456') c), '("(INVALID_OTP,)",,,)',
  'without a one-time password every code gets INVALID_OTP');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1'), 1,
  'a verification without a one-time password counts against OTP_VERIFY_LIMIT');
create temp table undelivered on commit drop as select m.body as code from
  (select (test.queue_otp('+12025550101', 'PHONE', 'SIGNUP', true, clock_timestamp())).id) q, test.issue_code(q.id) m;
select is((select pg_temp.error('+12025550101', code) from undelivered), 'INVALID_OTP',
  'a code that was not delivered gets INVALID_OTP');
select is((select attempts from platform.otp_transaction), 0, 'a code that was not delivered loses no attempt');
create temp table replaced on commit drop as select test.send_code('+12025550102', 'SIGNUP') as code;
create temp table newer on commit drop as select test.send_code('+12025550102', 'SIGNUP') as code;
select is((select (c.error)::text from replaced, pg_temp.check('+12025550102', code) c), '(INVALID_OTP,"{""reason"": ""replaced""}")',
  'a code that a newer one replaced gets INVALID_OTP, with the reason');
select is((test.otp('+12025550102', 'SIGNUP')).attempts, 0, 'a replaced code costs no attempt');
select is_empty($$select from private.guess_count where identifier = '+12025550102'$$, 'a replaced code is no guess');
select is((select failures from private.verification_state where identifier = '+12025550102'), 0, 'a replaced code is no failure in a row');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550102 SIGNUP 192.0.2.1'), 1, 'a replaced code counts against the verify limits');
select is((select pg_temp.error('+12025550102', code) from newer), null, 'the newer code is accepted');
select private.consume_otp((test.otp('+12025550102', 'SIGNUP')).id);
select is((select pg_temp.error('+12025550102', code) from replaced), 'INVALID_OTP', 'a replaced code opens nothing once the newer one is used');
select test.guess('PHONE', '+12025550102', 'SIGNUP') from generate_series(1, 5);
select is((select pg_temp.error('+12025550102', code, '192.0.2.3') from replaced), 'MAX_ATTEMPTS_REACHED',
  'a replaced code gets MAX_ATTEMPTS_REACHED once the guesses are spent');
select is((select pg_temp.error('+12025550103', code) from newer), 'INVALID_OTP',
  'the right code is not accepted for another phone');
select is((select pg_temp.error('+12025550102', code, purpose => 'PASSWORD_RESET') from newer), 'INVALID_OTP',
  'the right code is not accepted for another purpose');

-- Failures in a row
select test.set_setting('OTP_FAILURES_IN_A_ROW', '1');
create temp table blocked on commit drop as select test.send_code('+12025550104', 'SIGNUP') as code;
select test.send_code('+12025550104', 'SIGNUP');
select is((select pg_temp.error('+12025550104', test.wrong_code(code)) from blocked), 'INVALID_OTP', 'a wrong code is told nothing of replaced ones');
select is((select pg_temp.error('+12025550104', code) from blocked), 'MAX_ATTEMPTS_REACHED',
  'a replaced code is blocked by failures in a row as a wrong one is');

-- A used code
select test.clean_slate();
create temp table used on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select private.consume_otp(o.id) from platform.otp_transaction o;
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED',
  'the right code of a used one-time password gets OTP_ALREADY_USED');
select is((select attempts from platform.otp_transaction), 0, 'the right code of a used one-time password costs no attempt');
select is((select pg_temp.error('+12025550101', test.wrong_code(code)) from used), 'INVALID_OTP',
  'a wrong code for a used one-time password gets INVALID_OTP');
select is((select attempts from platform.otp_transaction), 1, 'a wrong code for a used one-time password costs an attempt');
select test.age_otps('1 hour');
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED',
  'a code that is both used and expired gets OTP_ALREADY_USED');
select is((select pg_temp.error('+12025550101', test.wrong_code(code)) from used), 'INVALID_OTP',
  'a wrong code for a used and expired one-time password gets INVALID_OTP');

-- An expired code
select test.clean_slate();
create temp table late on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select test.age_otps('299 seconds');
select is((select pg_temp.error('+12025550101', code) from late), null, 'one second before it expires a code is accepted');
select test.age_otps('1 second');
select is((select pg_temp.error('+12025550101', code) from late), 'OTP_EXPIRED', 'a code gets OTP_EXPIRED when it expires');
select is((select attempts from platform.otp_transaction), 0, 'an expired code costs no attempt');
select is((select pg_temp.error('+12025550101', test.wrong_code(code)) from late), 'INVALID_OTP',
  'a wrong code for an expired one-time password gets INVALID_OTP');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1'), 3,
  'each verification of an expired one-time password counts against OTP_VERIFY_LIMIT');

-- Wrong codes do not reveal whether the one-time password is live, expired, used or missing
select test.clean_slate();
create temp table state on commit drop as select * from (values
  ('+12025550101', 'live'), ('+12025550102', 'expired'), ('+12025550103', 'used'), ('+12025550104', 'missing')) s (phone, what);
create temp table right_code on commit drop as select phone, test.send_code(phone, 'SIGNUP') as code from state where what <> 'missing';
select private.consume_otp((test.otp('+12025550103', 'SIGNUP')).id);
update platform.otp_transaction set expires_at = now() where identifier = '+12025550102';
create temp table guess on commit drop as
  select s.what, n, (c.error).code || coalesce((c.error).details ->> 'policy', '') as answer
  from state s left join right_code r using (phone), generate_series(1, 12) n,
    pg_temp.check(s.phone, coalesce(test.wrong_code(r.code), '123456'), '192.0.2.' || (n - 1) / 3) c;
select is((select array_agg(answer order by n) from guess where what = 'live'),
  array_fill('INVALID_OTP'::text, array[5]) || array_fill('MAX_ATTEMPTS_REACHED'::text, array[7]),
  'wrong codes for a live one-time password get INVALID_OTP five times and then MAX_ATTEMPTS_REACHED');
select is((select array_agg(answer order by n) from guess g where g.what = s.what),
  (select array_agg(answer order by n) from guess where what = 'live'),
  'wrong codes get the same responses when the one-time password is ' || s.what)
from state s where s.what <> 'live';
select is((select array_agg(distinct guesses) from private.guess_count), array[5],
  'wrong codes are counted equally whether the one-time password is live, expired, used or missing');
select test.send_code(phone, 'SIGNUP') from state;
select is((select array_agg(distinct pg_temp.error(phone, '12345' || n, '192.0.2.9')) from state, generate_series(1, 5) n),
  array['INVALID_OTP'], 'a code that was just delivered has all its attempts, whatever was counted before');

-- The identifier type
select test.clean_slate();
select test.store_email_otp('someone@example.org', 'SIGNUP');
update platform.otp_transaction set code_hash = private.hash_code(id, '123456', test.code_key());
select is((private.check_otp(test.attempt('PHONE', 'someone@example.org', 'SIGNUP', '123456', '192.0.2.1'))).error.code, 'INVALID_OTP',
  'a code for an email address is not accepted for a phone');
select is((private.check_otp(test.attempt('EMAIL', 'someone@example.org', 'SIGNUP', '123456', '192.0.2.1'))).error.code, null,
  'a code for an email address is accepted for that address');

-- The code key
select throws_ok($$select private.check_otp(test.attempt('PHONE', '+12025550101', 'SIGNUP', '123456', '192.0.2.9', code_key => null))$$, '22023', null,
  'check_otp raises an error without a code key');
select throws_ok($$select private.check_otp(test.attempt('PHONE', '+12025550109', 'SIGNUP', '123456', '192.0.2.9', code_key => null))$$, '22023', null,
  'check_otp raises an error without a code key although there is no one-time password');

select * from finish();
rollback;
