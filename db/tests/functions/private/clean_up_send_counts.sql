begin;
select plan(2);
select test.clean_slate();
insert into private.send_count select client, 'hour', clock_timestamp() - age::interval, 0, 1, 0 
from (values ('of old', '90 days'), ('of late', '89 days 23:59:00'), ('of yesterday', '1 day')) d (client, age);
select private.clean_up_send_counts(0, 1000000);
select set_eq('select subject from private.send_count', array['of late', 'of yesterday'], 'what is older than 90 days is deleted');
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '15');
select private.clean_up_send_counts(0, 1000000);
select set_eq('select subject from private.send_count', array['of yesterday'], 'the setting decides');

select * from finish();
rollback;
