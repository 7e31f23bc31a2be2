begin;
select plan(12);
select is(fraud.is_listed(list::jsonb, test.facts(facts::jsonb)), listed, what)
from (values
  ('[]', '{}', false, 'an empty list names nobody'),
  ('["+1"]', '{}', true, 'a code of one digit is found'),
  ('["+44", "+12"]', '{}', true, 'a code of two digits is found, wherever it stands'),
  ('["+120"]', '{}', true, 'a code of three digits is found'),
  ('["+1202"]', '{}', true, 'a code of four digits is found: a part of a country'),
  ('["+447624"]', '{"prefix": "+44762412"}', true, 'a code of six digits is found: some islands of a country'),
  ('["+44762412"]', '{"prefix": "+44762412"}', true, 'a code of eight digits is found'),
  ('["+447624", "+44762413"]', '{"prefix": "+44762512"}', false, 'another one is not'),
  ('["+1203", "+2"]', '{}', false, 'other codes are not found'),
  ('["+202"]', '{}', false, 'a code that does not begin the phone is not found'),
  ('["+683"]', '{"prefix": "+683"}', true, 'the code of a phone that is hardly longer is found'),
  ('["192.0.2.1"]', '{}', true, 'a client is found')
) c (list, facts, listed, what);

select * from finish();
rollback;
