begin;
select plan(26);
create function pg_temp.fault(entry text, phone text default '+12025550101') returns text language sql
as $$ select private.test_numbers_fault(jsonb_build_object(phone, entry::jsonb)) $$;
select is(private.test_numbers_fault('{}'), null, 'there may be none');
select is(pg_temp.fault('{"code": "123456", "until": "2027-01-31T00:00:00Z"}'), null, 'a phone has a code and an end');
select is(private.test_numbers_fault(value::jsonb), 'must be an object of phones, each with a code and until', value || ' is refused')
from (values ('[]'), ('null'), ('"+12025550101"')) v (value);
select is(pg_temp.fault('{"code": "123456", "until": "2027-01-31T00:00:00Z"}', phone), 'must have phones such as +12025550123, not ' || phone, '"' || phone || '" is not a phone')
from unnest(array['12025550101', '+02025550101', '+1 202 555 0101', '', 'ada@example.com', '+1234567890123456']) phone;
select is(pg_temp.fault('{"code": "123456", "until": "2027-01-31T00:00:00Z"}', '+5215512345678'), '+5215512345678 is of a former numbering plan: write +525512345678', 'a number of a former plan would be none');
select is(pg_temp.fault('{}', repeat('x', 41)), 'must have phones such as +12025550123, not ' || repeat('x', 40), 'a long one is cut to 40 characters');
select is(pg_temp.fault(entry), 'the code of +12025550101 must be text of 4 to 10 digits', entry || ' has no valid code')
from unnest(array['{"until": "2027-01-31T00:00:00Z"}', '{"code": 123456, "until": "2027-01-31T00:00:00Z"}', '{"code": "123", "until": "x"}', '{"code": "12345678901", "until": "x"}',
  '{"code": "12345a"}', '"123456"', 'null']) entry;
select is(pg_temp.fault(entry), 'until of +12025550101 must be a time such as 2027-01-31T00:00:00Z', entry || ' has no valid end')
from unnest(array['{"code": "123456"}', '{"code": "123456", "until": "2027-01-31"}', '{"code": "123456", "until": null}']) entry;
select is(pg_temp.fault('{"code": "123456", "until": "2027-01-31T00:00:00Z", "name": "Ada"}'), '+12025550101 may have a code and until, and nothing else',
  'an unknown member is refused');
select is(private.test_numbers_fault((select jsonb_object_agg('+1202555' || (1000 + i), '{"code": "123456", "until": "2027-01-31T00:00:00Z"}'::jsonb) from generate_series(1, n) i)),
  fault, n || ' phones')
from (values (100, null), (101, 'must have 100 phones at most')) t (n, fault);

select * from finish();
rollback;
