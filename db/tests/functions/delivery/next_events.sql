begin;
select plan(18);
select test.clean_slate();
select test.subscribe('crm', 'session.opened', 'otp.refused');
select test.subscribe('ledger', 'session.opened');
delete from platform.event_delivery;
create temp table actor on commit drop as select gen_random_uuid() as alice, gen_random_uuid() as bob;
select private.record_event('session.opened', alice, data => '{"n": 1}') from actor;
select private.record_event('session.opened', alice, data => '{"n": 2}') from actor;
select private.record_event('session.opened', bob, data => '{"n": 3}') from actor;
select private.record_event('otp.refused', null, data => '{"n": 4}') from actor;
select private.record_event('otp.refused', null, data => '{"n": 5}') from actor;
create function pg_temp.next(most integer, variadic in_flight uuid[] default '{}') returns integer[] language sql as $$
  select array(select (e.payload::jsonb #>> '{data,details,n}')::integer from delivery.next_events('crm', '-infinity', next.in_flight, next.most) e)
$$;
create function pg_temp.id(n integer) returns uuid language sql as $$select e.id from platform.event e where e.data ->> 'n' = id.n::text$$;
-- The first attempts of all begin at the same time.
update platform.event_delivery set next_at = now();

select is((select e::text from delivery.next_events('crm', '-infinity', '{}', 1) e), (
  select row(e.id, 'session.opened', 'https://hooks.example.com/crm', 'crm', private.event_payload(e))::delivery.event_message::text
  from platform.event e where e.id = pg_temp.id(1)
), 'the earliest event comes first, with what the worker needs');
select is(pg_temp.next(8), '{1,3,4,5}', 'several are taken at a time, of each account its earliest, and all of no account');
select is(pg_temp.next(2), '{1,3}', 'at most as many as are asked for');
select is(pg_temp.next(8, pg_temp.id(1), pg_temp.id(4)), '{3,5}', 'those that are being sent are not taken again, and hold up the others of their account alone');
select is(test.next_event('crm', pg_temp.id(1)), pg_temp.id(3), 'while it is sent, another account''s is next, and not its account''s second');
select is(test.next_event('crm', pg_temp.id(1), pg_temp.id(3)), pg_temp.id(4), 'then one of no account');
select is(test.next_event('crm', pg_temp.id(1), pg_temp.id(3), pg_temp.id(4)), pg_temp.id(5), 'which waits for no other');
select is(test.next_event('crm', pg_temp.id(1), pg_temp.id(3), pg_temp.id(4), pg_temp.id(5)), null, 'then there is none');
update platform.event_delivery set next_at = now() + interval '1 hour' where event_id = pg_temp.id(1) and subscription_id = 'crm';
select is(test.next_event('crm', pg_temp.id(3), pg_temp.id(4), pg_temp.id(5)), null, 'an account''s second waits while its first is between attempts');
select is(test.next_event('ledger'), pg_temp.id(1), 'each subscription has an order of its own');
update platform.event_delivery set failed_at = now() where event_id = pg_temp.id(1) and subscription_id = 'crm';
select is(test.next_event('crm'), pg_temp.id(2), 'once it is given up the second comes');
update platform.event_delivery set next_at = now() + interval '1 hour' where event_id <> pg_temp.id(5);
select is(pg_temp.next(8), '{5}', 'what is due is sent before what is not');
select is((select array_agg(e.event_id) from delivery.next_events('crm', now() + interval '1 microsecond', '{}', 8) e), null, 'what was due before due_from is not read');
select is((select array_agg(e.event_id) from delivery.next_events('crm', delivery.first_due('crm'), '{}', 8) e), array[pg_temp.id(5)], 'which delivery.first_due tells');
update platform.event_delivery set next_at = now() + interval '1 hour';
select is(test.next_event('crm'), null, 'nothing is sent before its time');
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at) values ('crm', private.first_id(now()), now(), now(), now() - interval '1 hour');
select is((select e::text from delivery.next_events('crm', '-infinity', '{}', 1) e), (row(private.first_id(now()), null, 'https://hooks.example.com/crm', 'crm', null)::delivery.event_message)::text,
  'of an event that is no longer kept there is no body');
alter table settings.event_subscription disable trigger drop_of_disabled;
update settings.event_subscription set enabled = false;
select is(test.next_event('crm'), null, 'a subscription that is off gets nothing');
select is(test.next_event('gone'), null, 'nor one that is gone');
select * from finish();
rollback;
