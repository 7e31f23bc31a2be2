begin;
select plan(5);
select is(fraud.retry_after(rule, test.rule(rule), test.facts('{"since_last": "12.5 seconds"}')), wait::interval, what)
from (values
  ('FRAUD_CALLING_CODES', '1 hour', 'a list may have changed after an hour'),
  ('FRAUD_NUMBER_TYPES', '1 hour', 'so may the types'),
  ('FRAUD_COOL_DOWN', '17.5 seconds', 'a cool-down has a rest'),
  ('FRAUD_BUDGET', '39 minutes 30 seconds', 'the next clock hour has another budget'),
  ('FRAUD_COUNTRY', '39 minutes 30 seconds', 'the next clock hour has other counts')
) c (rule, wait, what);

select * from finish();
rollback;
