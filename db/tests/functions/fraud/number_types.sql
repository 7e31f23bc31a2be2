begin;
select plan(6);
select is(fraud.number_types(test.rule('FRAUD_NUMBER_TYPES', changes::jsonb), test.facts(facts::jsonb)), refuses, what)
from (values
  ('{}', '{"number_type": "PREMIUM_RATE"}', true, 'a premium-rate number is refused'),
  ('{}', '{}', false, 'a mobile is not'),
  ('{"types": ["FIXED_LINE"]}', '{"number_type": "FIXED_LINE"}', true, 'the operator names the types'),
  ('{"types": ["FIXED_LINE"]}', '{"number_type": "FIXED_LINE_OR_MOBILE"}', false, 'a longer name is another type'),
  ('{"exempt": ["+1202"]}', '{"number_type": "PREMIUM_RATE"}', false, 'an exempt calling code is sent to whatever the type'),
  ('{}', '{"number_type": null}', null, 'a type that is not known is neither')
) c (changes, facts, refuses, what);
select * from finish();
rollback;
