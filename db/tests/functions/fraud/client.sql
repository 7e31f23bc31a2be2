begin;
select plan(9);
select is(fraud.client(test.rule('FRAUD_CLIENT', '{"minimum": 10, "factor": 3}' || changes::jsonb), test.facts(facts::jsonb)), refuses, what)
from (values
  ('{}', '{"client_unverified": 9}', false, 'the minimum is allowed'),
  ('{}', '{"client_unverified": 10}', true, 'one more is refused'),
  ('{}', '{"client_unverified": 29, "client_verified": 140}', false, 'factor times the daily verified sends of 14 days are allowed'),
  ('{}', '{"client_unverified": 30, "client_verified": 140}', true, 'one more is refused, although the minimum is smaller'),
  ('{}', '{"client_unverified": 10, "client_verified": 14}', true, 'the minimum is allowed, although fewer were verified, and no more'),
  ('{}', '{"client_unverified": 30, "client_verified": 149}', false, 'a part of a send more is no send more'),
  ('{"exempt": ["+1202"]}', '{"client_unverified": 10}', false, 'an exempt calling code is left alone'),
  ('{"exempt": ["192.0.2.1"]}', '{"client_unverified": 10}', false, 'an exempt client is left alone'),
  ('{}', '{"client_unverified": null, "client_verified": null, "known": null}', null, 'missing facts are unknown')
) c (changes, facts, refuses, what);

select * from finish();
rollback;
