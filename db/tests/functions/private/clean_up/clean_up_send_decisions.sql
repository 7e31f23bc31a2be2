begin;
select plan(5);
select test.clean_slate();
select test.make_decision(jsonb_build_object('at', clock_timestamp() - age::interval, 'client', age))
from unnest(array['90 days', '89 days 23:59:00', '29 days 23:00:00', '29 days 22:59:00', '1 day 23:00:00', '1 day 22:59:00']) d (age);
create function pg_temp.kept() returns setof text language sql
as $$ select round(extract(epoch from clock_timestamp() - d.at) / 60) || ' ' || d.client from platform.send_decision d $$;

select private.clean_up_send_decisions(0, 1000000);
select set_eq('select pg_temp.kept()',
  array['129599 ', '43140 ', '43139 29 days 22:59:00', '2820 1 day 23:00:00', '2819 1 day 22:59:00'],
  'what is older than 90 days is deleted, and addresses that are an hour less than 30 days old');
select test.set_setting('OTP_RETENTION_DAYS', '2');
select private.clean_up_send_decisions(0, 1000000);
select set_eq('select pg_temp.kept()', array['129599 ', '43140 ', '43139 ', '2820 ', '2819 1 day 22:59:00'],
  'addresses are deleted with the one-time passwords that lead to them');
select test.set_setting('OTP_RETENTION_DAYS', '365');
update platform.send_decision set client = 'again' where at < clock_timestamp() - interval '29 days';
select private.clean_up_send_decisions(0, 1000000);
select set_eq('select pg_temp.kept()', array['129599 ', '43140 ', '43139 again', '2820 ', '2819 1 day 22:59:00'],
  'addresses are deleted not later than an account''s known clients');
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '15');
select private.clean_up_send_decisions(0, 1000000);
select set_eq('select pg_temp.kept()', array['2820 ', '2819 1 day 22:59:00'], 'the setting decides');
select private.clean_up_send_decisions(1, 1000000);
select set_eq('select pg_temp.kept()', array['2820 ', '2819 1 day 22:59:00'], 'pages before the first stay as they are');

select * from finish();
rollback;
