begin;
select plan(5);
select is(fraud.cool_down(test.rule('FRAUD_COOL_DOWN', '{"seconds": 30}' || changes::jsonb), test.facts(facts::jsonb)), refuses, what)
from (values
  ('{}', '{"since_last": "29.9 seconds"}', true, 'a send within the seconds is refused'),
  ('{}', '{"since_last": "30 seconds"}', false, 'a send after them is not'),
  ('{"seconds": 86400}', '{"since_last": "1 day"}', false, 'no send within a day is no refusal'),
  ('{"exempt": ["192.0.2.1"]}', '{"since_last": "0"}', false, 'an exempt client need not wait'),
  ('{}', '{"since_last": null}', null, 'a missing fact is unknown')
) c (changes, facts, refuses, what);

select * from finish();
rollback;
