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
  (select row(null, null, o.id, o.expires_at)::text from platform.otp_transaction o), 'the right code is right');
select is((select row(attempts, verified_at)::text from platform.otp_transaction), '(0,)', 'using it up is the caller''s');
select is((select jsonb_object_agg(key, cardinality(hits)) from platform.rate_limit),
  '{"OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1": 1, "OTP_VERIFY_PER_IP:192.0.2.1": 1}',
  'a verification counts for identifier, purpose and client, and for the client');
select is((select private.check_otp('PHONE', '+12025550101', 'SIGNUP', code, decode(repeat('43', 32), 'hex'), '192.0.2.2') from sent)::text,
  '("(INVALID_OTP,)",,,)', 'under another key it is not');

-- Format
select test.clean_slate();
create temp table formed on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is(pg_temp.error('+12025550101', code), 'INVALID_OTP_FORMAT', 'a code is six digits and nothing else, not ' || what)
from (values ('five digits', '12345'), ('seven digits', '1234567'), ('letters', '12345a'), ('nothing', ''), ('a blank before them', ' 123456'),
  ('a line''s end after them', E'123456\n'), ('other scripts'' digits', '١٢٣٤٥٦'), ('a sign', '-12345')) c (what, code);
select is((select count(*)::integer from platform.rate_limit), 0, 'a malformed code counts against no limit');
select is((select attempts from platform.otp_transaction), 0, 'and costs no attempt');
select is(pg_temp.error('+12025550199', '12345'), 'INVALID_OTP_FORMAT', 'where there is no code either');
select test.set_setting('OTP_LENGTH', '8');
select is((select pg_temp.error('+12025550101', code) from formed), 'INVALID_OTP_FORMAT', 'a length changed by SQL bites at once');
select is(pg_temp.error('+12025550101', '12345678'), 'INVALID_OTP', 'eight digits are well formed then');

-- Attempts
select test.clean_slate();
create temp table guessed on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from guessed, generate_series(1, 5)),
  array_fill('INVALID_OTP'::text, array[5]), 'five wrong guesses are invalid codes');
select is((select attempts from platform.otp_transaction), 5, 'each costs an attempt');
select is((select c.*::text from guessed, pg_temp.check('+12025550101', code) c), '("(MAX_ATTEMPTS_REACHED,)",,,)',
  'after that the code is blocked, also the right one, though the verify limit is spent too');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from guessed), 'MAX_ATTEMPTS_REACHED', 'for every client');
select is((select array_agg(cardinality(hits)) from platform.rate_limit), array[5, 5], 'what a block refuses counts against no limit');
select is((select attempts from platform.otp_transaction), 5, 'and costs no attempt more');
select test.age_otps('1 hour');
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED', 'a blocked code that has expired is blocked first');
update platform.otp_transaction set verified_at = now();
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED', 'one that was used too');
select test.age_guesses('299 seconds'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', code) from guessed), 'MAX_ATTEMPTS_REACHED', 'a second before OTP_TTL_SECONDS have passed since the first guess too');
select test.age_guesses('1 second');
select is((select pg_temp.error('+12025550101', code) from guessed), 'OTP_ALREADY_USED', 'then it is looked at again');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from guessed, generate_series(1, 4)),
  array_fill('INVALID_OTP'::text, array[4]), 'and guesses are counted anew');
select test.age_rate_limits('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from guessed, generate_series(1, 2)),
  array['INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'up to as many');
select test.insert_hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.7', variadic array_fill(clock_timestamp(), array[5]));
create temp table fresh on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550101', code, '192.0.2.7') from fresh), 'RATE_LIMIT_EXCEEDED',
  'a fresh code tried by the same client in the same quarter of an hour meets the limit');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from fresh), null, 'by another client it is right');
select test.clean_slate();
select test.set_setting('OTP_MAX_ATTEMPTS', '2');
create temp table strict on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from strict, generate_series(1, 3)),
  array['INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'a number of attempts changed by SQL bites at once');

-- Verify limits
select test.clean_slate();
select test.set_setting('OTP_MAX_ATTEMPTS', '100');
create temp table limited on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select array_agg(pg_temp.error('+12025550101', test.another(code))) from limited, generate_series(1, 5)),
  array_fill('INVALID_OTP'::text, array[5]), 'five verifications in a quarter of an hour are looked at');
create temp table over on commit drop as select c.* from limited, pg_temp.check('+12025550101', code) c;
select is((select (error).code || ((error).details - 'retryAfterSeconds') from over),
  'RATE_LIMIT_EXCEEDED{"policy": "OTP_VERIFY_LIMIT", "seconds": 900, "requests": 5}', 'the sixth is refused by the limit, also the right code');
select is((select otp_id from over), null, 'and names no one-time password');
select is((select attempts from platform.otp_transaction), 5, 'what a limit refuses costs no attempt');
select is((select array_agg(cardinality(hits)) from platform.rate_limit), array[5, 5], 'and counts against no limit');
select is((select pg_temp.error('+12025550101', code, '192.0.2.2') from limited), null, 'nobody else is kept from verifying');
create temp table purpose on commit drop as select test.send_code('+12025550101', 'PASSWORD_RESET') as code;
select is((select pg_temp.error('+12025550101', code, '192.0.2.1', 'PASSWORD_RESET') from purpose), null, 'nor is another purpose bound');
select is((select pg_temp.error('+12025550102', '123456')), 'INVALID_OTP', 'nor another identifier');
select test.age_rate_limits('899 seconds');
select is((select pg_temp.error('+12025550101', code) from limited), 'RATE_LIMIT_EXCEEDED', 'a second before the window ends it is still spent');
select test.age_rate_limits('1 second');
select is((select pg_temp.error('+12025550101', code) from limited), null, 'then the right code is right');
select test.clean_slate();
select test.set_setting('OTP_VERIFY_PER_IP', '"2/60"');
select is((select array_agg((c.error).code || coalesce((c.error).details ->> 'policy', '')) from generate_series(1, 3) n, pg_temp.check('+1202555010' || n, '123456') c),
  array['INVALID_OTP', 'INVALID_OTP', 'RATE_LIMIT_EXCEEDEDOTP_VERIFY_PER_IP'], 'one client''s verifications count together');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550103 SIGNUP 192.0.2.1'), 0, 'and what that limit refuses does not count against the other');
select is_empty($$select from private.verification_state where identifier = '+12025550103'$$, 'nor write anything: it costs a read');

-- None, or not the current one
select test.clean_slate();
select is((select c.*::text from pg_temp.check('+12025550101', '123456') c), '("(INVALID_OTP,)",,,)', 'where there is no code every code is invalid');
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
select test.clean_slate();
create temp table used on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select private.consume_otp(o.id) from platform.otp_transaction o;
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED', 'the code of a used one-time password says so');
select is((select attempts from platform.otp_transaction), 0, 'and costs no attempt');
select is((select pg_temp.error('+12025550101', test.another(code)) from used), 'INVALID_OTP', 'any other code is answered as if it were unused');
select is((select attempts from platform.otp_transaction), 1, 'and counted so');
select test.age_otps('1 hour');
select is((select pg_temp.error('+12025550101', code) from used), 'OTP_ALREADY_USED', 'used comes before expired');
select is((select pg_temp.error('+12025550101', test.another(code)) from used), 'INVALID_OTP', 'and neither is told to whoever does not have the code');

-- Expired
select test.clean_slate();
create temp table late on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select test.age_otps('299 seconds');
select is((select pg_temp.error('+12025550101', code) from late), null, 'a second before its end a code is right');
select test.age_otps('1 second');
select is((select pg_temp.error('+12025550101', code) from late), 'OTP_EXPIRED', 'at its end it has expired');
select is((select attempts from platform.otp_transaction), 0, 'which costs no attempt');
select is((select pg_temp.error('+12025550101', test.another(code)) from late), 'INVALID_OTP', 'another code is not told that there was one');
select is(test.hits('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 192.0.2.1'), 3, 'but each was looked at, and counts as a verification');

-- Whatever there is, whoever does not have the code is answered alike
select test.clean_slate();
create temp table state on commit drop as select * from (values
  ('+12025550101', 'live'), ('+12025550102', 'expired'), ('+12025550103', 'used'), ('+12025550104', 'none')) s (phone, what);
create temp table right_code on commit drop as select phone, test.send_code(phone, 'SIGNUP') as code from state where what <> 'none';
select private.consume_otp((test.otp('+12025550103', 'SIGNUP')).id);
update platform.otp_transaction set expires_at = now() where identifier = '+12025550102';
create temp table guess on commit drop as
  select s.what, n, (c.error).code || coalesce((c.error).details ->> 'policy', '') as answer
  from state s left join right_code r using (phone), generate_series(1, 12) n,
    pg_temp.check(s.phone, coalesce(test.another(r.code), '123456'), '192.0.2.' || (n - 1) / 3) c;
select is((select array_agg(answer order by n) from guess where what = 'live'),
  array_fill('INVALID_OTP'::text, array[5]) || array_fill('MAX_ATTEMPTS_REACHED'::text, array[7]), 'guesses at a live code are answered so');
select is((select array_agg(answer order by n) from guess g where g.what = s.what),
  (select array_agg(answer order by n) from guess where what = 'live'), 'and at ' || s.what || ' word for word alike')
from state s where s.what <> 'live';
select is((select array_agg(distinct guesses) from private.guess_count), array[5], 'they are counted alike');
select test.send_code(phone, 'SIGNUP') from state;
select is((select array_agg(distinct pg_temp.error(phone, '12345' || n, '192.0.2.9')) from state, generate_series(1, 5) n),
  array['INVALID_OTP'], 'a code that was just delivered starts with all its attempts, whatever was before');

-- A code is one of its identifier type
select test.clean_slate();
select private.store_email_otp('someone@example.org', 'SIGNUP', clock_timestamp(), test.code_key());
update platform.otp_transaction set code_hash = private.hash_code(id, '123456', test.code_key());
select is((private.check_otp('PHONE', 'someone@example.org', 'SIGNUP', '123456', test.code_key(), '192.0.2.1')).error.code, 'INVALID_OTP',
  'the code of an email address is none of a phone');
select is((private.check_otp('EMAIL', 'someone@example.org', 'SIGNUP', '123456', test.code_key(), '192.0.2.1')).error.code, null,
  'but of the email address');

-- Failures in a row
select test.clean_slate(), test.set_setting('OTP_FAILURES_IN_A_ROW', '3'), test.make_account('+12025550101');
select private.remember_client(a.id, 'home') from "user".account a;
select is((select array_agg(pg_temp.error('+12025550101', '12345' || n, 'bot ' || n, case n when 2 then 'PASSWORD_RESET' else 'SIGNUP' end))
  from generate_series(1, 3) n), array_fill('INVALID_OTP'::text, array[3]), 'three wrong codes in a row, of any purpose and client');
create temp table blocked on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
select is((select pg_temp.error('+12025550101', code, 'new place') from blocked), 'MAX_ATTEMPTS_REACHED', 'end verifying, also by a newer code');
select is((select verified_at from platform.otp_transaction), null, 'which is not used up');
select is((select pg_temp.error('+12025550101', test.another(code), client) from blocked), 'MAX_ATTEMPTS_REACHED',
  'a wrong one is answered alike at ' || client)
from (values ('new place'), ('home')) c (client);
select is((select array_agg(cardinality(hits)) from platform.rate_limit where key ~ '(new place|home)$' and key ~ 'SIGNUP'), array[2, 1],
  'and counted alike');
select is((select pg_temp.error('+12025550101', code, 'home') from blocked), null, 'the right one is right at a client that the account logged in from');
select test.set_setting('OTP_VERIFY_LIMIT', '"1/900"');
select is((select pg_temp.error('+12025550101', code, 'home') from blocked), 'MAX_ATTEMPTS_REACHED', 'but for other limits, which are not told then');
select test.set_setting('OTP_VERIFY_LIMIT', '"5/900"');
select is(pg_temp.error('+12025550102', '123456', 'bot 1'), 'INVALID_OTP', 'another phone is not blocked');
select test.age_failures('1 day -1 second'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', code, 'new place') from blocked), 'MAX_ATTEMPTS_REACHED', 'it lasts for a day');
select test.age_failures('1 second'), test.age_otps('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code), 'bot ' || n)) from blocked, generate_series(1, 4) n),
  array['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'and is then counted anew');
select test.age_failures('1 day'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select array_agg(pg_temp.error('+12025550101', test.another(code), 'bot ' || n)) from blocked, generate_series(1, 2) n),
  array_fill('INVALID_OTP'::text, array[2]), 'two in a row');
select private.consume_otp((test.otp('+12025550101', 'SIGNUP')).id);
select is((select array_agg(pg_temp.error('+12025550101', test.another(code), 'bot ' || n)) from blocked, generate_series(1, 3) n),
  array_fill('INVALID_OTP'::text, array[3]), 'are forgotten when a right one comes between');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"'), test.age_guesses('1 hour'), test.age_rate_limits('1 hour');
select is((select pg_temp.error('+12025550101', test.another(code), 'bot 1') from blocked), 'INVALID_OTP', 'a limit turned off ends nothing');

-- No key
select throws_ok($$select private.check_otp('PHONE', '+12025550101', 'SIGNUP', '123456', null, '192.0.2.9')$$, '22023', null, 'without a key no code is compared');
select throws_ok($$select private.check_otp('PHONE', '+12025550109', 'SIGNUP', '123456', null, '192.0.2.9')$$, '22023', null, 'nor where there is none');

select * from finish();
rollback;
