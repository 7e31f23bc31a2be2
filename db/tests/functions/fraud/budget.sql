begin;
select plan(8);
select is(fraud.budget(test.rule('FRAUD_BUDGET', '{"perHour": 10, "perDay": 100}' || changes::jsonb), test.facts(facts::jsonb)), refuses, what)
from (values
  ('{}', '{"sends_this_hour": 9, "sends_last_day": 99}', false, 'the last send of an hour''s and a day''s budget is allowed'),
  ('{}', '{"sends_this_hour": 10, "sends_last_day": 99}', true, 'the next one of the hour is refused'),
  ('{}', '{"sends_this_hour": 9, "sends_last_day": 100}', true, 'the next one of the day is refused'),
  ('{"exempt": ["+1202"]}', '{"sends_this_hour": 10}', false, 'an exempt calling code has no budget'),
  ('{"exempt": ["192.0.2.1"]}', '{"sends_this_hour": 10}', false, 'an exempt client has no budget'),
  ('{"exempt": ["192.0.2.2"]}', '{"sends_this_hour": 10}', true, 'another client has'),
  ('{}', '{"sends_this_hour": null, "sends_last_day": null}', null, 'missing facts are unknown'),
  ('{"exempt": ["+1"]}', '{"sends_this_hour": null, "sends_last_day": null}', false, 'missing facts do not matter to who is exempt')
) c (changes, facts, refuses, what);

select * from finish();
rollback;
