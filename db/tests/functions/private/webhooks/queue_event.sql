begin;
select plan(5);
select test.clean_slate();
select test.subscribe('crm', 'password.changed', 'password.reset');
select test.subscribe('ledger', 'password.reset');
delete from platform.event_delivery;
create temp table actor on commit drop as select gen_random_uuid() as alice;

select private.record_event('password.changed', alice) from actor;
select is((select row(d.subscription_id, d.event_id, d.user_id, d.queued_at, d.next_at, d.attempts, d.failed_at)::text from platform.event_delivery d),
  (select row('crm', e.id, alice, e.at, e.at, 0, null)::text from platform.event e, actor where e.type = 'password.changed'),
  'an event waits for the subscription that wants its type, from when it happened');
select private.record_event('account.verified', alice) from actor;
select is((select count(*)::integer from platform.event_delivery), 1, 'and for none that does not');
insert into platform.event_subscription_state (subscription_id, full_from) values ('crm', now());
select private.record_event('password.reset', alice) from actor;
select is((select array_agg(d.subscription_id) from platform.event_delivery d join platform.event e on e.id = d.event_id where e.type = 'password.reset'),
  array['ledger'], 'one that is full gets none');
update platform.event_subscription_state set full_to = now();
update settings.event_subscription set enabled = false where id = 'ledger';
select private.record_event('password.reset', alice) from actor;
select results_eq($$select d.subscription_id, count(*) from platform.event_delivery d group by 1$$, $$values ('crm', bigint '2')$$,
  'one that was full gets them again, one that is off does not');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'the transaction of an event adds no job, which would notify');

select * from finish();
rollback;
