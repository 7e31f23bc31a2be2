begin;
select plan(28);
select test.clean_slate();
create temp table made on commit drop as select * from "user".invitation limit 0;
grant all on made to latchkey_admin;
select test.become('latchkey_admin');
insert into made select * from "user".invite('+12025550101', ' Ada@Example.com ');
reset role;
select is((select email from made), 'ada@example.com', 'the email is normalized');
select is((select i::text from "user".invitation i), (select m::text from made m), 'the invitation is stored and returned');
select ok((select valid_until between now() + interval '30 days' and clock_timestamp() + interval '30 days' from made),
  'without a time it is valid for 30 days');
select is((select count(*)::integer from platform.otp_transaction), 0, 'nothing is sent unless it is asked for');
select is((select array_agg(identifier) from private.verification_state), array['+12025550101'],
  'the row that a verification locks is locked, and is made where it was missing');
select "user".invite('+12025550101', null, now() + interval '1 hour');
select is((select array_agg(row(email, valid_until)::text) from "user".invitation), array[row(null, now() + interval '1 hour')::text],
  'a new invitation replaces the earlier one');
select is((select phone from "user".invite('+22997123456')), '+2290197123456', 'a number of a former plan is stored as it is today');

-- What is refused changes nothing
select throws_ok(format('select "user".invite(%L, %L, %L)', phone, email, until), '23514', message, what) from (values
  ('12025550101', null, null::timestamptz, 'the phone must be written as E.164: +, calling code and number', 'the phone must be E.164'),
  ('+12025550101', 'ada', null, 'the email is not valid', 'the email must be one'),
  ('+12025550101', null, now(), 'valid_until must be in the future, and within a year', 'a time that is over is refused'),
  ('+12025550101', null, now() + interval '366 days', 'valid_until must be in the future, and within a year', 'more than a year is refused'),
  ('+12025550101', null, 'infinity', 'valid_until must be in the future, and within a year', 'no end is refused')
) w (phone, email, until, message, what);
select test.make_account('+12025550102');
select throws_ok($$select "user".invite('+12025550102')$$, '23514', 'the phone has an account already', 'a phone that has an account is refused');
update "user".account set disabled_at = now(), disabled_reason = 'spam' where phone = '+12025550102';
select throws_ok($$select "user".invite('+12025550102')$$, '23514', null, 'so is that of a disabled account');
select is((select count(*)::integer from "user".invitation where phone = '+12025550102'), 0, 'and nothing changes');
select test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '30');
update "user".account set last_used_on = current_date - 31, disabled_at = null, disabled_reason = null where phone = '+12025550102';
select is((select phone from "user".invite('+12025550102')), '+12025550102', 'a recycled number may be invited: its account is another person''s');
select test.become('latchkey_user');
select throws_ok($$select "user".invite('+12025550104')$$, '42501', null, 'a user may not invite');
reset role;

-- The SMS
select "user".invite('+12025550105', send => true);
select is((select row(purpose, delivery, awaited, code_hash, current_since)::text from platform.otp_transaction), '(INVITATION,queued,f,,)', 'a notice is queued');
select is((select (test.issue_code(id)).body from platform.otp_transaction), 'You are invited to open an account with this phone number: sign up with it.',
  'its text is our own where OTP_PROVIDER has none');
select is((select code_hash from platform.otp_transaction), null, 'it holds no code');
select test.set_setting('OTP_PROVIDER',
  '{"providerToUse": "console", "template": "{{code}}", "templates": {"INVITATION": {"default": "Join us: app.example.com"}}}');
select is((select (test.issue_code(id)).body from platform.otp_transaction), 'Join us: app.example.com', 'or the one of OTP_PROVIDER');
select is(test.hits('INVITATION_SENDS:all') || ' ' || test.hits('NOTICES_PER_IDENTIFIER:+12025550105'), '1 1', 'it counts for all, and for the phone');
select test.set_setting('INVITATION_SENDS', '"1/3600"');
select throws_ok($$select "user".invite('+12025550106', send => true)$$, '23514', null, 'over the limit it is refused');
select is((select count(*)::integer from "user".invitation where phone = '+12025550106'), 0, 'and the phone is not invited');
select lives_ok($$select "user".invite('+12025550106')$$, 'without an SMS it is');
select test.set_setting('INVITATION_SENDS', '"100/3600"');
select test.set_setting('NOTICES_PER_IDENTIFIER', '"1/3600"');
select throws_like($$select "user".invite('+12025550105', send => true)$$, 'The limit NOTICES_PER_IDENTIFIER is reached%', 'one phone is not told without end');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550107": {"code": "424242", "until": "2099-01-31T00:00:00Z"}}');
select throws_like($$select "user".invite('+12025550107', send => true)$$, '%test number%', 'nothing is sent to a test number');
select test.set_setting('FRAUD_BUDGET', '{"mode": "enforce", "exempt": [], "perHour": 1, "perDay": 1}');
select throws_like($$select "user".invite('+12025550108', send => true)$$, 'The fraud rule FRAUD_BUDGET refuses it.', 'the fraud rules hold here too');

select * from finish();
rollback;
