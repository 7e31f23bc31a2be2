begin;
select plan(16);
select is(private.is_time(value), true, value || ' is a time')
from unnest(array['2027-01-31T00:00:00Z', '2027-01-31T00:00Z', '2027-01-31T00:00:00.123+02:00', '2028-02-29T23:59:59-11:30']) value;
select is(private.is_time(value), false, '"' || value || '" is not a time')
from unnest(array['2027-01-31T00:00:00', '2027-01-31', 'infinity', 'tomorrow', '2027-02-29T00:00:00Z', '2027-13-01T00:00:00Z', '2027-01-01T25:00:00Z',
  '0000-01-01T00:00:00Z', '2027-01-31T00:00:00+99:00', '2027-01-31 00:00:00Z', '', E'2027-01-31T00:00:00Z\n']) value;

select * from finish();
rollback;
