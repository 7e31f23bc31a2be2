begin;
select plan(9);
create temp table made on commit drop as select clock_timestamp() as before, private.new_id() as id, clock_timestamp() + interval '1 millisecond' as after;
select ok(id >= private.first_id(before), 'an id is not before the first one of its moment') from made;
select ok(id < private.first_id(after), 'an id is before the first one of a later moment') from made;
select is(private.first_id('epoch'), '00000000-0000-0000-0000-000000000000'::uuid, 'ids begin with 1970');
select is(private.first_id('epoch'::timestamptz + interval '1999 microseconds'), '00000000-0001-0000-0000-000000000000'::uuid,
  'and have whole milliseconds');
select is(private.first_id(at), id, coalesce(at::text, 'null') || ' has an id')
from (values
  (timestamptz '-infinity', '00000000-0000-0000-0000-000000000000'::uuid), ('1969-12-31', '00000000-0000-0000-0000-000000000000'),
  ('infinity', 'ffffffff-ffff-0000-0000-000000000000'), ('20000-01-01', 'ffffffff-ffff-0000-0000-000000000000'), (null, null)
) t (at, id);

select * from finish();
rollback;
