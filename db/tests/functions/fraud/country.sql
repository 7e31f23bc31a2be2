begin;
select plan(11);
select is(fraud.country(test.rule('FRAUD_COUNTRY', '{"minimum": 10, "factor": 3}' || changes::jsonb), test.facts(facts::jsonb)), refuses, what)
from (values
  ('{}', '{"country_unverified": 9}', false, 'the minimum is allowed'),
  ('{}', '{"country_unverified": 10}', true, 'one more is refused'),
  ('{}', '{"country_unverified": 29, "country_verified": 140}', false, 'factor times the daily verified sends of 14 days are allowed'),
  ('{}', '{"country_unverified": 30, "country_verified": 140}', true, 'one more is refused, although the minimum is smaller'),
  ('{}', '{"country_unverified": 10, "country_verified": 14}', true, 'the minimum is allowed, although fewer were verified, and no more'),
  ('{}', '{"country_unverified": 30, "country_verified": 149}', false, 'a part of a send more is no send more'),
  ('{"exempt": ["+1202"]}', '{"country_unverified": 10}', false, 'an exempt calling code is left alone'),
  ('{"exempt": ["192.0.2.1"]}', '{"country_unverified": 10}', false, 'an exempt client is left alone'),
  ('{}', '{"country_unverified": 10, "known": true}', false, 'a client that is known to have the account is left alone'),
  ('{"factor": 0}', '{"country_unverified": 10, "country_verified": 1400}', true, 'with factor 0 the minimum counts alone'),
  ('{}', '{"country_unverified": null, "country_verified": null, "known": null}', null, 'missing facts are unknown')
) c (changes, facts, refuses, what);

select * from finish();
rollback;
