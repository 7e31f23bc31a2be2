begin;
select plan(14);
select is(private.integer_fault(value::jsonb, 4, 10), null, value || ' is a whole number from 4 to 10')
from (values ('4'), ('10')) v (value);
select is(private.integer_fault(value::jsonb, 4, 10), 'must be a whole number from 4 to 10, not ' || value,
  value || ' is not a whole number from 4 to 10')
from (values ('3'), ('11'), ('0'), ('-5'), ('5.5'), ('"5"'), ('null'), ('true'), ('[5]'), ('{"a": 5}')) v (value);
select is(private.integer_fault('99999999999999999999', 4, 10), 'must be a whole number from 4 to 10, not 99999999999999999999',
  'a number that is too large for bigint is not a whole number from 4 to 10');
select is(length(private.integer_fault(to_jsonb(repeat('x', 1000)), 4, 10)), 81, 'the message shortens a long value');

select * from finish();
rollback;
