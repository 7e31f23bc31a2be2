begin;
select plan(6);
select is(fraud.checked_rules('{}'), '{}', 'no rules are valid');
select is(fraud.checked_rules(jsonb_build_object('FRAUD_BUDGET', test.rule('FRAUD_BUDGET'))),
  jsonb_build_object('FRAUD_BUDGET', test.rule('FRAUD_BUDGET')), 'valid rules are returned');
select throws_ok(format('select fraud.checked_rules(%L)', rules), '22023', message, message)
from (values
  (null, 'settings must be an object, such as {"FRAUD_COUNTRY": {…}}'),
  ('[]', 'settings must be an object, such as {"FRAUD_COUNTRY": {…}}'),
  ('{"OTP_LENGTH": 6}', 'OTP_LENGTH: there is no such fraud rule'),
  ('{"FRAUD_COOL_DOWN": {"mode": "on", "seconds": 1, "exempt": []}}', 'FRAUD_COOL_DOWN: mode must be off, record or enforce')
) c (rules, message);

select * from finish();
rollback;
