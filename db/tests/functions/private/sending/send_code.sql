begin;
select plan(3);
select test.clean_slate();
select test.set_setting('FRAUD_CALLING_CODES', test.rule('FRAUD_CALLING_CODES', '{"mode": "enforce", "blocked": ["+1"]}'));
select is((private.send_code(test.send_request('+12025550101'))).error.details ->> 'policy', 'FRAUD_CALLING_CODES', 'the fraud rules decide about an SMS');
select is((private.send_code(test.send_request('ada@example.org', 'EMAIL'))).otp_id, (test.otp('ada@example.org', 'LOGIN')).id, 'an email is queued');
select is((select count(*)::integer from platform.send_decision), 1, 'without a decision');
select * from finish();
rollback;
