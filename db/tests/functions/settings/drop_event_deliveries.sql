begin;
select plan(5);
select test.clean_slate();
select test.subscribe('crm', 'session.opened');
select test.subscribe('ledger', 'session.opened');
delete from platform.event_delivery;
select private.record_event('session.opened', gen_random_uuid()) from generate_series(1, 2);
update platform.event_delivery set failed_at = now() where event_id = (select e.id from platform.event e where e.type = 'session.opened' limit 1);

create function pg_temp.rows() returns text[] language sql as $$
  select array_agg(d.subscription_id || case when d.failed_at is null then '' else ' failed' end order by d.subscription_id, d.failed_at nulls first) from platform.event_delivery d
$$;
update settings.event_subscription set secret_name = 'other' where id = 'crm';
select is(pg_temp.rows(), array['crm', 'crm failed', 'ledger', 'ledger failed'], 'another secret drops nothing');
update settings.event_subscription set enabled = false where id = 'crm';
select is(pg_temp.rows(), array['crm failed', 'ledger', 'ledger failed'], 'a subscription that is turned off drops what waits, and keeps what failed');
update settings.event_subscription set enabled = true where id = 'crm';
select is(pg_temp.rows(), array['crm failed', 'ledger', 'ledger failed'], 'one that is turned on drops nothing');
insert into platform.event_subscription_state (subscription_id) values ('crm'), ('ledger');
delete from settings.event_subscription where id = 'ledger';
select is(pg_temp.rows(), array['crm failed'], 'one that is deleted drops all');
select results_eq('select t.subscription_id from platform.event_subscription_state t', array['crm'], 'its state, too');
select * from finish();
rollback;
