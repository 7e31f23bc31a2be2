begin;
select plan(23);
select is(private.limit_fault(to_jsonb(value)), null,
  value || ' is a valid limit') from (values ('1/1'), ('3/3600'), ('1000/2592000')) v (value);
select ok(private.limit_fault(to_jsonb(value)) like 'must be text "requests/seconds"%', '"' || value || '" is not a valid limit')
from (values (''), ('0/60'), ('3/0'), ('-3/60'), ('1001/60'), ('3/2592001'), ('99999/60'),
  ('3'), ('3/'), ('/60'), ('3/60/60'), (' 3/60'), ('3/60 '),
  ('3.5/60'), ('03/60'), ('off')) v (value);
select ok(private.limit_fault(value::jsonb) like 'must be text "requests/seconds"%',
  'the JSON value ' || value || ' is not a valid limit')
from (values ('3'), ('null'), ('["3/3600"]')) v (value);
select matches(private.limit_fault(to_jsonb(repeat('x', 60))), 'not "x{39}$',
  'the message shows the first 40 characters of a long value');

select * from finish();
rollback;
