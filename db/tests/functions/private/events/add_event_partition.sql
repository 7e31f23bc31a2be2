begin;
select plan(4);
select test.clean_slate();

select private.add_event_partition('2031-12-01 00:00Z'), private.add_event_partition('2031-12-01 00:00Z');
select results_eq($$select p.begins_at, p.ends_at from private.event_partitions() p where p.partition = to_regclass('private.event_2031_12')$$,
  $$values (timestamptz '2031-12-01 00:00Z', timestamptz '2032-01-01 00:00Z')$$, 'add_event_partition makes the partition of a month, once');
create function pg_temp.partition_of(at timestamptz) returns text language sql as $$
  insert into platform.event (id, type, at, actor, data, lane, position, hash)
  values (private.first_id(partition_of.at), 'admin.acted', partition_of.at, 'admin', '{}', 0, 1, '') returning tableoid::regclass::text
$$;
select is(pg_temp.partition_of('2031-12-31 23:59:59.999Z'), 'private.event_2031_12', 'which holds the events until its end');
select is(pg_temp.partition_of('2032-01-01 00:00Z'), 'private.event_other', 'others go to the partition for all other months');
select private.add_event_partition('2032-01-01 00:00Z');
select is(to_regclass('private.event_2032_01'), null, 'and their month gets none later');

select * from finish();
rollback;
