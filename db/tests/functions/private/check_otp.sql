begin;
select plan(62);
do $$ begin perform test.clean_slate(); end $$;
create function pg_temp.check(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP')
returns setof api.otp_answer language sql
as $$ select * from private.check_otp(phone, purpose, code, test.code_key(), client) $$;
create function pg_temp.error(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP') returns text language sql
as $$ select error_code from pg_temp.check(phone, code, client, purpose) $$;

-- The right code
create temp table sent on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select row(c.error_code, c.error_details, c.otp_id, c.expires_at)::text from sent, pg_temp.check('+12025550101', code) c),
  (select row(null, null, o.id, o.expires_at)::text from platform.otp_transaction o), 'the right code is right');
select is((select row(attempts, verified_at)::text from platform.otp_transaction), '(0,)', 'using it up is the caller''s');
select is((select jsonb_object_agg(key, cardinality(hits)) from platform.rate_limit),
  '{"OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1": 1, "OTP_VERIFY_PER_IP:192.0.2.1": 1}',
  'a verification counts for identifier, purpose and client, and for the client');
select is((select private.check_otp('+12025550101', 'SIGNUP', code, decode(repeat('43', 32), 'hex'), '192.0.2.2') from sent)::text,
  (select row('INVALID_OTP', null, o.id, o.expires_at, null)::text from platform.otp_transaction o), 'under another key it is not');

-- Format
do $$ begin perform test.clean_slate(); end $$;
create temp table formed on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is(pg_temp.error('+12025550101', code), 'INVALID_OTP_FORMAT', 'a code is six digits and nothing else, not ' || what)
from (values ('five digits', '12345'), ('seven digits', '1234567'), ('letters', '12345a'), ('nothing', ''), ('a blank before them', ' 123456'),
  ('a line''s end after them', E'123456\n'), ('other scripts'' digits', '١٢٣٤٥٦'), ('a sign', '-12345')) c (what, code);
select is((select count(*)::integer from platform.rate_limit), 0, 'a malformed code counts against no limit');
select is((select attempts from platform.otp_transaction), 0, 'and costs no attempt');
select is(pg_temp.error('+12025550199', '12345'), 'INVALID_OTP_FORMAT', 'where there is no code either');
do $$ begin perform test.set_setting('OTP_LENGTH', '8'); end $$;
select is((select pg_temp.error('+12025550101', code) from formed), 'INVALID_OTP_FORMAT', 'a length changed by SQL bites at once');
select is(pg_temp.error('+12025550101', '12345678'), 'INVALID_OTP', 'eight digits are well formed then');

-- Attempts
do $$ begin perform test.clean_slate(); end $$;
create temp table guessed on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from guessed, generate_series(1, 5)),
  array_fill('INVALID_OTP'::text, array[5]), 'five wrong guesses are invalid codes');
select is((select attempts from platform.otp_transaction), 5, 'each costs an attempt');
select is((select c.*::text from guessed, pg_temp.check('+12025550101', code) c), '(MAX_ATTEMPTS_REACHED,,,,)',
  'after that the code is blocked, also the right one, though the verify limit is spent too');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from guessed), 'MAX_ATTEMPTS_REACHED', 'for every client');
select is((select array_agg(cardinality(hits)) from platform.rate_limit), array[5, 5], 'what a block refuses counts against no limit');
select is((select attempts from platform.otp_transaction), 5, 'and costs no attempt more');
do $$ begin perform test.age_otps('1 hour'); end $$;
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED', 'a blocked code that has expired is blocked first');
update platform.otp_transaction set verified_at = now();
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED', 'one that was used too');
create temp table fresh on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550101', code) from fresh), 'RATE_LIMIT_EXCEEDED',
  'a fresh code tried by the same client in the same quarter of an hour meets the limit');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from fresh), null, 'by another client it is right');
do $$ begin perform test.clean_slate(); perform test.set_setting('OTP_MAX_ATTEMPTS', '2'); end $$;
create temp table strict on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from strict, generate_series(1, 3)),
  array['INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'a number of attempts changed by SQL bites at once');

-- Verify limits
do $$ begin perform test.clean_slate(); perform test.set_setting('OTP_MAX_ATTEMPTS', '100'); end $$;
create temp table limited on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from limited, generate_series(1, 5)),
  array_fill('INVALID_OTP'::text, array[5]), 'five verifications in a quarter of an hour are looked at');
create temp table over on commit drop as select c.* from limited, pg_temp.check('+12025550101', code) c;
select is((select error_code || (error_details - 'retryAfterSeconds') from over),
  'RATE_LIMIT_EXCEEDED{"policy": "OTP_VERIFY_LIMIT", "seconds": 900, "requests": 5}', 'the sixth is refused by the limit, also the right code');
select is((select otp_id from over), null, 'and names no one-time password');
select is((select attempts from platform.otp_transaction), 5, 'what a limit refuses costs no attempt');
select is((select array_agg(cardinality(hits)) from platform.rate_limit), array[5, 5], 'and counts against no limit');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from limited), null, 'nobody else is kept from verifying');
create temp table purpose on commit drop as select test.send_code('+12025550101', 'PASSWORD_RESET') as code;
select is((select pg_temp.error('+12025550101', code, '192.0.2.1', 'PASSWORD_RESET') from purpose), null, 'nor is another purpose bound');
select is((select pg_temp.error('+12025550102', '123456')), 'INVALID_OTP', 'nor another identifier');
do $$ begin perform test.age_rate_limits('899 seconds'); end $$;
select is((select pg_temp.error('+12025550101', code) from limited), 'RATE_LIMIT_EXCEEDED', 'a second before the window ends it is still spent');
do $$ begin perform test.age_rate_limits('1 second'); end $$;
select is((select pg_temp.error('+12025550101', code) from limited), null, 'then the right code is right');
do $$ begin perform test.clean_slate(); perform test.set_setting('OTP_VERIFY_PER_IP', '"2/60"'); end $$;
select is((select array_agg(c.error_code || coalesce(c.error_details ->> 'policy', '')) from generate_series(1, 3) n, pg_temp.check('+1202555010' || n, '123456') c),
  array['INVALID_OTP', 'INVALID_OTP', 'RATE_LIMIT_EXCEEDEDOTP_VERIFY_PER_IP'], 'one client''s verifications count together');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550103 SIGNUP 192.0.2.1'), 0, 'and what that limit refuses does not count against the other');

-- None, or not the current one
do $$ begin perform test.clean_slate(); end $$;
select is((select c.*::text from pg_temp.check('+12025550101', '123456') c), '(INVALID_OTP,,,,)', 'where there is no code every code is invalid');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1'), 1, 'which counts like any verification');
create temp table undelivered on commit drop as select m.body as code from
  (select (private.queue_otp('+12025550101', 'SIGNUP', true, clock_timestamp())).id) q, delivery.issue_otp_code(q.id, test.code_key()) m;
select is((select pg_temp.error('+12025550101', code) from undelivered), 'INVALID_OTP', 'a code that was not delivered is none');
select is((select attempts from platform.otp_transaction), 0, 'and no attempt of it is spent');
create temp table replaced on commit drop as select test.send_code('+12025550102', 'SIGNUP') as code;
create temp table newer on commit drop as select test.send_code('+12025550102', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550102', code) from replaced), 'INVALID_OTP', 'a code replaced by a newer one is invalid');
select is((test.otp('+12025550102', 'SIGNUP')).attempts, 1, 'and costs the newer one an attempt');
select is((select pg_temp.error('+12025550102', code) from newer), null, 'the newer one is right');
select is((select pg_temp.error('+12025550103', code) from newer), 'INVALID_OTP', 'but not for another phone');
select is((select pg_temp.error('+12025550102', code, purpose => 'PASSWORD_RESET') from newer), 'INVALID_OTP', 'nor for another purpose');

-- Used
do $$ begin perform test.clean_slate(); end $$;
create temp table used on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
do $$ begin perform private.consume_otp(o.id) from platform.otp_transaction o; end $$;
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED', 'the code of a used one-time password says so');
select is((select attempts from platform.otp_transaction), 0, 'and costs no attempt');
select is((select pg_temp.error('+12025550101', test.another(code)) from used), 'INVALID_OTP', 'any other code is answered as if it were unused');
select is((select attempts from platform.otp_transaction), 1, 'and counted so');
do $$ begin perform test.age_otps('1 hour'); end $$;
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED', 'used comes before expired');
select is((select pg_temp.error('+12025550101', test.another(code)) from used), 'OTP_EXPIRED', 'but only for who knows the code');

-- Expired
do $$ begin perform test.clean_slate(); end $$;
create temp table late on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
do $$ begin perform test.age_otps('299 seconds'); end $$;
select is((select pg_temp.error('+12025550101', code) from late), null, 'a second before its end a code is right');
do $$ begin perform test.age_otps('1 second'); end $$;
select is((select pg_temp.error('+12025550101', code) from late), 'OTP_EXPIRED', 'at its end it has expired');
select is((select pg_temp.error('+12025550101', test.another(code)) from late), 'OTP_EXPIRED', 'expired comes before wrong');
select is((select attempts from platform.otp_transaction), 0, 'and costs no attempt');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1'), 3, 'but each was looked at, and counts as a verification');

-- No key
select throws_ok($$select private.check_otp('+12025550101', 'SIGNUP', '123456', null, '192.0.2.9')$$, '22023', null, 'without a key no code is compared');
select throws_ok($$select private.check_otp('+12025550109', 'SIGNUP', '123456', null, '192.0.2.9')$$, '22023', null, 'nor where there is none');

select * from finish();
rollback;
