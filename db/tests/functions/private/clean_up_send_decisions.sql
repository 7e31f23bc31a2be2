begin;
select plan(2);
select test.clean_slate();
select test.make_decision(jsonb_build_object('at', clock_timestamp() - age::interval, 'client', client)) 
from (values ('of old', '90 days'), ('of late', '89 days 23:59:00'), ('of yesterday', '1 day')) d (client, age);
select private.clean_up_send_decisions(0, 1000000);
select set_eq('select client from platform.send_decision', array['of late', 'of yesterday'], 'what is older than 90 days is deleted');
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '15');
select private.clean_up_send_decisions(0, 1000000);
select set_eq('select client from platform.send_decision', array['of yesterday'], 'the setting decides');

select * from finish();
rollback;
