begin;
select plan(7);
select test.clean_slate();
select test.subscribe('crm', 'session.opened');
select test.subscribe('off', 'session.opened');
delete from platform.event_delivery;
select private.record_event('session.opened', gen_random_uuid());
insert into platform.event_delivery select 'gone', d.event_id, d.user_id, d.event_at, d.queued_at, d.next_at from platform.event_delivery d where d.subscription_id = 'crm';
alter table settings.event_subscription disable trigger drop_of_disabled;
update settings.event_subscription set enabled = false where id = 'off';

create function pg_temp.rows() returns text[] language sql as $$
  select array_agg(d.subscription_id || case when d.failed_at is null then '' else ' failed' end order by d.subscription_id) from platform.event_delivery d
$$;
select is(private.end_event_deliveries(), false, 'few are ended in one call');
select is(pg_temp.rows(), array['crm'], 'what waits for a subscription that is off or gone is deleted');
select test.age_deliveries('24 hours 30 minutes');
select private.end_event_deliveries();
select is(pg_temp.rows(), array['crm'], 'what waits for a day may still have its last attempt');
select test.age_deliveries('31 minutes');
select private.end_event_deliveries();
select is(pg_temp.rows(), array['crm failed'], 'what waits for longer is given up');
select test.age_deliveries(private.setting_period('FAILED_JOB_RETENTION_DAYS') - interval '1 minute');
update settings.event_subscription set enabled = false where id = 'crm';
select private.end_event_deliveries();
select is(pg_temp.rows(), array['crm failed'], 'and kept, also where the subscription is off');
select test.age_deliveries('2 minutes');
select private.end_event_deliveries();
select is(pg_temp.rows(), null, 'for FAILED_JOB_RETENTION_DAYS');
insert into platform.event_delivery select 'gone', gen_random_uuid(), null, now(), now(), now() from generate_series(1, 1500);
select is(array[private.end_event_deliveries(), private.end_event_deliveries()], array[true, false], 'many are ended in several calls');

select * from finish();
rollback;
