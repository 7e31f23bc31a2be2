begin;
select plan(7);
select is(fraud.calling_codes(test.rule('FRAUD_CALLING_CODES', changes::jsonb), test.facts()), refuses, what)
from (values
  ('{}', false, 'empty lists refuse nothing'),
  ('{"blocked": ["+1202"]}', true, 'a blocked code is refused'),
  ('{"blocked": ["+44"]}', false, 'other codes are not'),
  ('{"allowed": ["+44"]}', true, 'a code that is not among those allowed is refused'),
  ('{"allowed": ["+44", "+1"]}', false, 'one of those allowed is not'),
  ('{"allowed": ["+1"], "blocked": ["+1202"]}', true, 'a blocked part of an allowed code is refused'),
  ('{"allowed": ["+44"], "blocked": ["+1"], "exempt": ["192.0.2.1"]}', false, 'an exempt client may send to any code')
) c (changes, refuses, what);

select * from finish();
rollback;
