begin;
select plan(2);
select is(fraud.usual_days(), 14, 'a usual day is the mean of 14');
select cmp_ok((select d.minimum from private.setting_definition d where d.key = 'SEND_DECISION_RETENTION_DAYS'), '>', fraud.usual_days()::bigint,
  'their counters are not deleted sooner');

select * from finish();
rollback;
