begin;
select plan(3);
select test.clean_slate();
insert into private.send_count select client, 'hour', clock_timestamp() - age::interval, 0, 1, 0 
from (values ('of old', '90 days'), ('of late', '89 days 23:59:00'), ('of yesterday', '1 day')) d (client, age);
select private.clean_up_send_counts(0, 1000000);
select set_eq('select subject from private.send_count', array['of late', 'of yesterday'], 'what is older than 90 days is deleted');
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '15');
select private.clean_up_send_counts(0, 1000000);
select set_eq('select subject from private.send_count', array['of yesterday'], 'the setting decides');

insert into private.send_count select 'client:' || age, 'day', clock_timestamp() - age::interval, 0, 1, 0
from unnest(array['15 days', '14 days 23:59:00']) d (age);
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '90');
select private.clean_up_send_counts(0, 1000000);
select set_eq('select subject from private.send_count', array['of yesterday', 'client:14 days 23:59:00'],
  'the count of a client is deleted when no rule reads it any more');

select * from finish();
rollback;
