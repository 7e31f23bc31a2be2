begin;
select plan(19);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "templates": {"default": {"de": "{{code}} ist es."}}}');
set local role latchkey_admin;
select is(purpose || ' ' || identifier, 'TEST +12025550101', 'the message is a row of its own purpose')
from platform.send_test_message('+12025550101', 'de');
reset role;
select is((select row(d.purpose, d.verdict, d.client, d.otp_id = o.id)::text from platform.send_decision d, platform.otp_transaction o), '(TEST,allowed,admin,t)',
  'the fraud rules have decided about it');
select is(test.count('all', 'hour', now()), '1 0', 'and counted it');
select is(awaited, false, 'no request waits for it') from platform.otp_transaction;
select matches((test.issue_code(id)).body, '^[0-9]{6} ist es\.$', 'it is sent to a phone without an account, in the language')
from platform.otp_transaction;
select is((test.current_otp('PHONE', '+12025550101', purpose)).id, null, 'it is no current code for ' || purpose)
from unnest(array['LOGIN', 'SIGNUP', 'PASSWORD_RESET']) purpose;
select throws_ok(call, '23514', message, message)
from (values
  ($$select platform.send_test_message('12025550101')$$, 'The phone must be in E.164, such as +12125550123.'),
  ($$select platform.send_test_message(null)$$, 'The phone must be in E.164, such as +12125550123.'),
  ($$select platform.send_test_message('+12025550101', repeat('x', 36))$$, 'The language must be a tag such as de or pt-BR.')
) c (call, message);
select test.set_setting('OTP_TEST_SENDS', '"2/3600"');
select lives_ok($$select platform.send_test_message('+12025550102', repeat('x', 35))$$, 'a tag of 35 characters is a language');
select throws_like($$select platform.send_test_message('+12025550103')$$, '%OTP_TEST_SENDS%', 'all phones together have a limit');
select test.set_setting('OTP_TEST_SENDS', '"1000/3600"'), test.set_setting('OTP_SEND_PER_IDENTIFIER', '"1/3600"');
select throws_like($$select platform.send_test_message('+12025550102')$$, '%OTP_SEND_PER_IDENTIFIER%', 'each phone has its own limit');
select test.set_setting('OTP_SEND_PER_IDENTIFIER', '"1000/3600"');
select is((select languages from platform.send_test_message('+12025550104', ' ')), '{}', 'an empty language is none');
select is((select identifier from platform.send_test_message('+22997123456')), '+2290197123456', 'a number of a former plan is sent to as it is today');
select test.set_setting('FRAUD_CALLING_CODES', test.rule('FRAUD_CALLING_CODES', '{"mode": "enforce", "blocked": ["+44"]}'));
select throws_ok($$select platform.send_test_message('+447400123456')$$, '23514', 'The fraud rule FRAUD_CALLING_CODES refuses it.', 'a fraud rule refuses it as any other');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550105": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select throws_ok($$select platform.send_test_message('+12025550105')$$, '23514', 'The phone is a test number (OTP_TEST_NUMBERS): nothing is sent to it.', 'nothing is sent to a test number');
truncate settings.configuration;
select throws_ok($$select platform.send_test_message('+12025550104')$$, '23514', 'No provider is set: OTP_PROVIDER.', 'without a provider nothing is sent');

select * from finish();
rollback;
