begin;
select plan(6);
select test.clean_slate();

select private.add_event_partition(at) from (values (timestamptz '2020-01-01 00:00Z'), ('2020-02-01 00:00Z')) m (at);
select test.set_setting('EVENT_RETENTION_DAYS', to_jsonb(extract(day from now() - timestamptz '2020-02-01 00:00Z')::integer));
select private.keep_event_partitions();
select results_eq($$select p.partition::text from private.event_partitions() p where p.begins_at < '2021-01-01'$$, array['private.event_2020_02'],
  'a month is dropped once its last moment is EVENT_RETENTION_DAYS ago');
select results_eq($$select count(*)::integer from private.event_partitions() p where p.begins_at >= date_trunc('month', now(), 'UTC')$$, array[4],
  'there are partitions for this month and the next three');
do $$ declare v_partition regclass; begin
  for v_partition in select p.partition from private.event_partitions() p loop
    execute 'drop table ' || v_partition;
  end loop;
end $$;
select private.keep_event_partitions();
select results_eq($$select count(*)::integer from private.event_partitions() p where p.begins_at >= date_trunc('month', now(), 'UTC')$$, array[4], 'those that are missing are made');

insert into platform.event (id, type, at, actor, data, lane, position, hash)
select private.first_id(at), 'admin.acted', at, 'admin', '{}', 0, 1, '' from (values (timestamptz '2019-12-01 00:00Z'), (now() - interval '1 year')) m (at);
select private.keep_event_partitions();
select is((select count(*)::integer from private.event_other), 2, 'the partition for other months stays as long as one of its events');
select test.set_setting('EVENT_RETENTION_DAYS', '30');
select private.keep_event_partitions();
select is((select count(*)::integer from private.event_other), 0, 'and is emptied then');
insert into platform.event (id, type, at, actor, data, lane, position, hash)
values (private.first_id('2019-12-01'), 'admin.acted', '2019-12-01', 'admin', '{}', 0, 1, '');
select is((select count(*)::integer from private.event_other), 1, 'and takes events as before');

select * from finish();
rollback;
