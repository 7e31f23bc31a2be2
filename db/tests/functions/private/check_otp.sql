begin;
select plan(89);
select test.clean_slate();
create function pg_temp.check(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP')
returns setof api.otp_answer language sql
as $$ select * from private.check_otp('PHONE', phone, purpose, code, test.code_key(), client) $$;
create function pg_temp.error(phone text, code text, client text default '192.0.2.1', purpose text default 'SIGNUP') returns text language sql
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
select is((select private.check_otp('PHONE', '+12025550101', 'SIGNUP', code, decode(repeat('43', 32), 'hex'), '192.0.2.2') from sent)::text,
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

-- Attempts
select test.clean_slate();
create temp table guessed on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from guessed, generate_series(1, 5)),
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
  'a blocked code that was used gets MAX_ATTEMPTS_REACHED');
select test.age_guesses('299 seconds'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED',
  'a code stays blocked until OTP_TTL_SECONDS after the first wrong code');
select test.age_guesses('1 second');
select is((select pg_temp.error('+12025550101', code) from guessed), 'OTP_ALREADY_USED',
  'OTP_TTL_SECONDS after the first wrong code a code is no longer blocked');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from guessed, generate_series(1, 4)),
  array_fill('INVALID_OTP'::text, array[4]),
  'after a block ends four more wrong codes are allowed: verifying the used code counted as one');
select test.age_rate_limits('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from guessed, generate_series(1, 2)),
  array['INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'after a block ends the limit of five wrong codes applies again');
select test.insert_hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.7', variadic array_fill(clock_timestamp(), array[5]));
create temp table fresh on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550101', code, '192.0.2.7') from fresh), 'RATE_LIMIT_EXCEEDED',
  'a client that has spent OTP_VERIFY_LIMIT is refused for a fresh code too');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from fresh), null, 'another client can verify the fresh code');
select test.clean_slate();
select test.set_setting('OTP_MAX_ATTEMPTS', '2');
create temp table strict on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from strict, generate_series(1, 3)),
  array['INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'a change of OTP_MAX_ATTEMPTS applies at once');

-- Verify limits
select test.clean_slate();
select test.set_setting('OTP_MAX_ATTEMPTS', '100');
create temp table limited on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from limited, generate_series(1, 5)),
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
select is((select array_agg((c.error).code || coalesce((c.error).details ->> 'policy', '')) from generate_series(1, 3) n, pg_temp.check('+1202555010' || n, '123456') c),
  array['INVALID_OTP', 'INVALID_OTP', 'RATE_LIMIT_EXCEEDEDOTP_VERIFY_PER_IP'],
  'verifications of one client for several identifiers count together against OTP_VERIFY_PER_IP');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550103 SIGNUP 192.0.2.1'), 0,
  'a verification that OTP_VERIFY_PER_IP refuses does not count against OTP_VERIFY_LIMIT');
select is_empty($$select from private.verification_state where identifier = '+12025550103'$$,
  'a verification that OTP_VERIFY_PER_IP refuses writes no row of verification_state');

-- No one-time password, or not the current one
select test.clean_slate();
select is((select c.*::text from pg_temp.check('+12025550101', '123456') c), '("(INVALID_OTP,)",,,)',
  'without a one-time password every code gets INVALID_OTP');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1'), 1,
  'a verification without a one-time password counts against OTP_VERIFY_LIMIT');
create temp table undelivered on commit drop as select m.body as code from
  (select (private.queue_otp('+12025550101', 'SIGNUP', true, clock_timestamp())).id) q, delivery.issue_otp_code(q.id, test.code_key()) m;
select is((select pg_temp.error('+12025550101', code) from undelivered), 'INVALID_OTP',
  'a code that was not delivered gets INVALID_OTP');
select is((select attempts from platform.otp_transaction), 0, 'a code that was not delivered loses no attempt');
create temp table replaced on commit drop as select test.send_code('+12025550102', 'SIGNUP') as code;
create temp table newer on commit drop as select test.send_code('+12025550102', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550102', code) from replaced), 'INVALID_OTP',
  'a code that a newer one replaced gets INVALID_OTP');
select is((test.otp('+12025550102', 'SIGNUP')).attempts, 1, 'a code that a newer one replaced costs the newer one an attempt');
select is((select pg_temp.error('+12025550102', code) from newer), null, 'the newer code is accepted');
select is((select pg_temp.error('+12025550103', code) from newer), 'INVALID_OTP',
  'the right code is not accepted for another phone');
select is((select pg_temp.error('+12025550102', code, purpose => 'PASSWORD_RESET') from newer), 'INVALID_OTP',
  'the right code is not accepted for another purpose');

-- A used code
select test.clean_slate();
create temp table used on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select private.consume_otp(o.id) from platform.otp_transaction o;
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED',
  'the right code of a used one-time password gets OTP_ALREADY_USED');
select is((select attempts from platform.otp_transaction), 0, 'the right code of a used one-time password costs no attempt');
select is((select pg_temp.error('+12025550101', test.another(code)) from used), 'INVALID_OTP',
  'a wrong code for a used one-time password gets INVALID_OTP');
select is((select attempts from platform.otp_transaction), 1, 'a wrong code for a used one-time password costs an attempt');
select test.age_otps('1 hour');
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED',
  'a code that is both used and expired gets OTP_ALREADY_USED');
select is((select pg_temp.error('+12025550101', test.another(code)) from used), 'INVALID_OTP',
  'a wrong code for a used and expired one-time password gets INVALID_OTP');

-- An expired code
select test.clean_slate();
create temp table late on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select test.age_otps('299 seconds');
select is((select pg_temp.error('+12025550101', code) from late), null, 'one second before it expires a code is accepted');
select test.age_otps('1 second');
select is((select pg_temp.error('+12025550101', code) from late), 'OTP_EXPIRED', 'a code gets OTP_EXPIRED when it expires');
select is((select attempts from platform.otp_transaction), 0, 'an expired code costs no attempt');
select is((select pg_temp.error('+12025550101', test.another(code)) from late), 'INVALID_OTP',
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
    pg_temp.check(s.phone, coalesce(test.another(r.code), '123456'), '192.0.2.' || (n - 1) / 3) c;
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
select private.store_email_otp('someone@example.org', 'SIGNUP', clock_timestamp(), test.code_key());
update platform.otp_transaction set code_hash = private.hash_code(id, '123456', test.code_key());
select is((private.check_otp('PHONE', 'someone@example.org', 'SIGNUP', '123456', test.code_key(), '192.0.2.1')).error.code, 'INVALID_OTP',
  'a code for an email address is not accepted for a phone');
select is((private.check_otp('EMAIL', 'someone@example.org', 'SIGNUP', '123456', test.code_key(), '192.0.2.1')).error.code, null,
  'a code for an email address is accepted for that address');

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
select is((select pg_temp.error('+12025550101', test.another(code), client) from blocked), 'MAX_ATTEMPTS_REACHED',
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
select test.age_failures('1 day -1 second'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', code, 'new place') from blocked), 'MAX_ATTEMPTS_REACHED',
  'wrong codes in a row block verification for a day');
select test.age_failures('1 second'), test.age_otps('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code), 'bot ' || n)) from blocked, generate_series(1, 4) n),
  array['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'],
  'after a day wrong codes in a row are counted from zero');
select test.age_failures('1 day'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code), 'bot ' || n)) from blocked, generate_series(1, 2) n),
  array_fill('INVALID_OTP'::text, array[2]), 'two wrong codes in a row do not block verification');
select private.consume_otp((test.otp('+12025550101', 'SIGNUP')).id);
select is((select array_agg(pg_temp.error('+12025550101', test.another(code), 'bot ' || n)) from blocked, generate_series(1, 3) n),
  array_fill('INVALID_OTP'::text, array[3]), 'the right code resets the number of wrong codes in a row');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', test.another(code), 'bot 1') from blocked), 'INVALID_OTP',
  'while OTP_FAILURES_IN_A_ROW is off wrong codes in a row do not block verification');

-- The code key
select throws_ok($$select private.check_otp('PHONE', '+12025550101', 'SIGNUP', '123456', null, '192.0.2.9')$$, '22023', null,
  'check_otp raises an error without a code key');
select throws_ok($$select private.check_otp('PHONE', '+12025550109', 'SIGNUP', '123456', null, '192.0.2.9')$$, '22023', null,
  'check_otp raises an error without a code key although there is no one-time password');

select * from finish();
rollback;
