begin;
select plan(50);
create function pg_temp.check(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP')
returns setof api.otp_answer language sql
as $$ select * from private.check_otp(test.attempt('PHONE', phone, purpose, code, client)) $$;
create function pg_temp.error(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP')
returns text language sql
as $$ select (error).code from pg_temp.check(phone, code, client, purpose) $$;

-- Attempts
select test.clean_slate();
create temp table guessed on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code))) from guessed, generate_series(1, 5)),
  array_fill('INVALID_OTP'::text, array[5]), 'five wrong codes get INVALID_OTP');
select is((select attempts from platform.otp_transaction), 5, 'each wrong code costs an attempt');
select is((select c.*::text from guessed, pg_temp.check('+12025550101', code) c), '("(MAX_ATTEMPTS_REACHED,)",,,)',
  'after five wrong codes the right one is blocked, although OTP_VERIFY_LIMIT is spent too');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from guessed), 'MAX_ATTEMPTS_REACHED',
  'after five wrong codes the right one is blocked for every client');
select is((select array_agg(cardinality(hits)) from platform.rate_limit), array[5, 5],
  'a blocked verification counts against no limit');
select is((select attempts from platform.otp_transaction), 5, 'a blocked verification costs no attempt');
select test.age_otps('1 hour');
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED',
  'a blocked code that has expired gets MAX_ATTEMPTS_REACHED');
update platform.otp_transaction set verified_at = now();
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED',
  'a blocked code that has expired and was used gets MAX_ATTEMPTS_REACHED');
select test.age_guesses('299 seconds'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED',
  'a code stays blocked until OTP_TTL_SECONDS after the first wrong code');
select test.age_guesses('1 second');
select is((select pg_temp.error('+12025550101', code) from guessed), 'OTP_ALREADY_USED',
  'OTP_TTL_SECONDS after the first wrong code a code is no longer blocked');
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code))) from guessed, generate_series(1, 4)),
  array_fill('INVALID_OTP'::text, array[4]), 'after a block ends wrong codes are counted from zero: four more get INVALID_OTP');
select test.age_rate_limits('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code))) from guessed, generate_series(1, 2)),
  array['INVALID_OTP', 'MAX_ATTEMPTS_REACHED'],
  'after a block ends the fifth wrong code gets INVALID_OTP and the next MAX_ATTEMPTS_REACHED');
select test.insert_hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.7', variadic array_fill(clock_timestamp(), array[5]));
create temp table fresh on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550101', code, '192.0.2.7') from fresh), 'RATE_LIMIT_EXCEEDED',
  'a client that has spent OTP_VERIFY_LIMIT is refused for a fresh code too');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from fresh), null, 'another client can verify the fresh code');
select test.clean_slate();
select test.set_setting('OTP_MAX_ATTEMPTS', '2');
create temp table strict on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code))) from strict, generate_series(1, 3)),
  array['INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'a change of OTP_MAX_ATTEMPTS applies at once');

-- Verify limits
select test.clean_slate();
select test.set_setting('OTP_MAX_ATTEMPTS', '100');
create temp table limited on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code))) from limited, generate_series(1, 5)),
  array_fill('INVALID_OTP'::text, array[5]), 'five verifications in 15 minutes are compared');
create temp table over on commit drop as select c.* from limited, pg_temp.check('+12025550101', code) c;
select is((select (error).code || ((error).details - 'retryAfterSeconds') from over),
  'RATE_LIMIT_EXCEEDED{"policy": "OTP_VERIFY_LIMIT", "seconds": 900, "requests": 5}',
  'OTP_VERIFY_LIMIT refuses the sixth verification, even with the right code');
select is((select otp_id from over), null, 'a verification that a limit refuses returns no one-time password');
select is((select attempts from platform.otp_transaction), 5, 'a verification that a limit refuses costs no attempt');
select is((select array_agg(cardinality(hits)) from platform.rate_limit), array[5, 5],
  'a verification that a limit refuses counts against no limit');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from limited), null,
  'a spent OTP_VERIFY_LIMIT does not refuse another client');
create temp table purpose on commit drop as select test.send_code('+12025550101', 'PASSWORD_RESET') as code;
select is((select pg_temp.error('+12025550101', code, '192.0.2.1', 'PASSWORD_RESET') from purpose), null,
  'a spent OTP_VERIFY_LIMIT does not refuse another purpose');
select is((select pg_temp.error('+12025550102', '123456')), 'INVALID_OTP',
  'a spent OTP_VERIFY_LIMIT does not refuse another identifier');
select test.age_rate_limits('899 seconds');
select is((select pg_temp.error('+12025550101', code) from limited), 'RATE_LIMIT_EXCEEDED',
  'one second before the window ends the right code is still refused');
select test.age_rate_limits('1 second');
select is((select pg_temp.error('+12025550101', code) from limited), null,
  'when the window has ended the right code is accepted');
select test.clean_slate();
select test.set_setting('OTP_VERIFY_PER_IP', '"2/60"');
select is((select array_agg((c.error).code || coalesce((c.error).details ->> 'policy', ''))
    from generate_series(1, 3) n, pg_temp.check('+1202555010' || n, '123456') c),
  array['INVALID_OTP', 'INVALID_OTP', 'RATE_LIMIT_EXCEEDEDOTP_VERIFY_PER_IP'],
  'verifications of one client for several identifiers count together against OTP_VERIFY_PER_IP');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550103 SIGNUP 192.0.2.1'), 0,
  'a verification that OTP_VERIFY_PER_IP refuses does not count against OTP_VERIFY_LIMIT');
select is_empty($$select from private.verification_state where identifier = '+12025550103'$$,
  'a verification that OTP_VERIFY_PER_IP refuses writes no row of verification_state');

-- Failures in a row
select test.clean_slate(), test.set_setting('OTP_FAILURES_IN_A_ROW', '3'), test.make_account('+12025550101');
select private.remember_client(a.id, 'home') from "user".account a;
select is((select array_agg(pg_temp.error('+12025550101', '12345' || n, 'bot ' || n, case n when 2 then 'PASSWORD_RESET' else 'SIGNUP' end))
  from generate_series(1, 3) n), array_fill('INVALID_OTP'::text, array[3]),
  'three wrong codes in a row get INVALID_OTP, whatever their purposes and clients');
create temp table blocked on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550101', code, 'new place') from blocked), 'MAX_ATTEMPTS_REACHED',
  'after three wrong codes in a row a newer code gets MAX_ATTEMPTS_REACHED');
select is((select verified_at from platform.otp_transaction), null, 'a blocked code is not marked as used');
select is((select pg_temp.error('+12025550101', test.wrong_code(code), client) from blocked), 'MAX_ATTEMPTS_REACHED',
  'while failures block verification a wrong code gets MAX_ATTEMPTS_REACHED from the client ' || client)
from (values ('new place'), ('home')) c (client);
select is((select array_agg(cardinality(hits)) from platform.rate_limit where key ~ '(new place|home)$' and key ~ 'SIGNUP'), array[2, 1],
  'blocked verifications count against the rate limits, for known and unknown clients');
select is((select pg_temp.error('+12025550101', code, 'home') from blocked), null,
  'while failures block verification a known client''s right code is accepted');
select test.set_setting('OTP_VERIFY_LIMIT', '"1/900"');
select is((select pg_temp.error('+12025550101', code, 'home') from blocked), 'MAX_ATTEMPTS_REACHED',
  'while failures block verification a known client over a rate limit gets MAX_ATTEMPTS_REACHED');
select test.set_setting('OTP_VERIFY_LIMIT', '"5/900"');
select is(pg_temp.error('+12025550102', '123456', 'bot 1'), 'INVALID_OTP',
  'wrong codes for one phone do not block another phone');
delete from private.verification_state where identifier = '+12025550102';
select test.set_setting('OTP_VERIFY_PER_IP', '"1/60"');
select is(pg_temp.error('+12025550103', '123456', 'bot 1'), 'RATE_LIMIT_EXCEEDED',
  'nor a verification of another phone that a limit refuses');
select test.set_setting('OTP_VERIFY_PER_IP', '"60/900"');
select test.age_failures('1 day -1 second'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', code, 'new place') from blocked), 'MAX_ATTEMPTS_REACHED',
  'wrong codes in a row block verification for a day');
select test.age_failures('1 second'), test.age_otps('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code), 'bot ' || n)) from blocked, generate_series(1, 4) n),
  array['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'],
  'after a day wrong codes in a row are counted from zero');
select test.age_failures('1 day'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code), 'bot ' || n)) from blocked, generate_series(1, 2) n),
  array_fill('INVALID_OTP'::text, array[2]), 'two wrong codes in a row do not block verification');
select private.consume_otp((test.otp('+12025550101', 'SIGNUP')).id);
select is((select array_agg(pg_temp.error('+12025550101', test.wrong_code(code), 'bot ' || n)) from blocked, generate_series(1, 3) n),
  array_fill('INVALID_OTP'::text, array[3]), 'the right code resets the number of wrong codes in a row');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', test.wrong_code(code), 'bot 1') from blocked), 'INVALID_OTP',
  'while OTP_FAILURES_IN_A_ROW is off wrong codes in a row do not block verification');

-- Test numbers
select test.clean_slate();
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select api.send_otp('+12025550101', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key(), 'US');
select is((select array_agg(pg_temp.error('+12025550101', '000000')) from generate_series(1, 6)),
  array_fill('INVALID_OTP'::text, array[5]) || array['MAX_ATTEMPTS_REACHED'], 'guesses at the code of a test number are counted');
select api.send_otp('+12025550101', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key(), 'US');
select is((select pg_temp.error('+12025550101', '424242')), null, 'its next code can be verified at once: verify limits do not apply');
select is((select count(*)::integer from platform.rate_limit where key ~ 'VERIFY'), 0, 'no limit counted a verification');
select is((select failures from private.verification_state), 5, 'failures in a row are counted');
select test.set_setting('OTP_TEST_NUMBERS', '{}');
delete from private.guess_count;
select is((select pg_temp.error('+12025550101', '424242')), 'INVALID_OTP', 'the code of a number that is no test number any more is worth nothing');
select is((select count(*)::integer from platform.rate_limit where key ~ 'VERIFY'), 2, 'and limits count it again');

select test.clean_slate();
create function pg_temp.email_error(email text) returns text language sql
as $$ select (c.error).details ->> 'policy' from private.check_otp(test.attempt('EMAIL', email, 'LOGIN', '000000', '192.0.2.1')) c $$;
select is((select array_agg(pg_temp.email_error('ada+' || n || '@example.com') order by n) from generate_series(1, 6) n),
  array[null, null, null, null, null, 'OTP_VERIFY_LIMIT'], 'all spellings of a mailbox share its limit');

select * from finish();
rollback;
