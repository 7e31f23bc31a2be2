begin;
select plan(2);
select results_eq(
  $$select p.partition::text, p.begins_at, p.ends_at from private.event_partitions() p where p.begins_at = date_trunc('month', now(), 'UTC')$$,
  $$select to_char(now() at time zone 'UTC', '"private.event_"YYYY_MM'), date_trunc('month', now(), 'UTC'),
      (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC'$$,
  'a migration leaves a partition for this month');
select is_empty($$select from private.event_partitions() p where p.partition = 'private.event_other'::regclass$$, 'that of other months is not listed');

select * from finish();
rollback;
