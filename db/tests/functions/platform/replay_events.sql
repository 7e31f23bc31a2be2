begin;
select plan(16);
select test.clean_slate();
select test.subscribe('crm', 'session.opened');
delete from platform.event_delivery;
create temp table actor on commit drop as select gen_random_uuid() as alice;
select private.record_event('session.opened', alice, data => '{"n": 1}') from actor;
select private.record_event('session.opened', alice, data => '{"n": 2}') from actor;
select private.record_event('session.revoked', alice) from actor;
create function pg_temp.id(n integer) returns uuid language sql as $$select e.id from platform.event e where e.data ->> 'n' = id.n::text$$;

select throws_ok($$select platform.replay_events('gone', now(), 'infinity')$$, '23514', 'There is no such subscription.', 'of a subscription that is not there');
select throws_ok($$select platform.replay_events('crm', now(), now())$$, '23514', 'from_at must be before to_at.', 'of no time');
select throws_ok($$select platform.replay_events('crm', null, now())$$, '23514', 'from_at must be before to_at.', 'of a time that is not given');

-- Of the two, one was given up and the other taken.
update platform.event_delivery set failed_at = now(), attempts = 30, queued_at = now() - interval '25 hours', last_error = 'HTTP 500' where event_id = pg_temp.id(1);
delete from platform.event_delivery where event_id = pg_temp.id(2);
select is((select row(r.subscription_id, r.queued)::text from platform.replay_events('crm', now(), 'infinity') r), '(crm,2)', 'what was given up and what was taken');
select is((select array_agg(d.event_id order by d.event_at) from platform.event_delivery d where d.failed_at is null and d.attempts = 0 and d.queued_at > now()
  and d.user_id = (select alice from actor)), array[pg_temp.id(1), pg_temp.id(2)], 'waits again, of the types that it wants, for a day from now');
select is(test.next_event('crm'), pg_temp.id(1), 'in order');
select is((select e.data - '{from,to}'::text[] from platform.event e where e.type = 'admin.acted'),
  '{"action": "replay_events", "subscription": "crm", "events": 2}'::jsonb, 'an event tells who did it');
update platform.event_delivery set attempts = 3;
select is((select r.queued from platform.replay_events('crm', '-infinity', 'infinity') r), 2, 'however long the time is');
select is((select min(d.attempts) from platform.event_delivery d), 3, 'what waits goes on waiting');
select is((select r.queued from platform.replay_events('crm', '-infinity', now()) r), 0, 'events before from_at and from to_at on are not sent');
select is((select r.queued from platform.replay_events('crm', clock_timestamp(), 'infinity') r), 0, 'nor those before from_at');
select is((select r.queued from platform.event first, platform.event second, platform.replay_events('crm', first.at, second.at) r
  where first.id = pg_temp.id(1) and second.id = pg_temp.id(2)), 1, 'the event of from_at is sent, and not the one of to_at');

insert into platform.event_subscription_state (subscription_id, full_from) values ('crm', now());
select throws_ok($$select platform.replay_events('crm', now(), 'infinity')$$, '23514',
  'Too many events wait for the subscription: replay once it is no longer full.', 'while it is full nothing is added');
delete from platform.event_subscription_state;
savepoint half;
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at)
select 'crm', gen_random_uuid(), now(), now(), now() from generate_series(1, private.most_events_waiting() / 2);
select throws_ok($$select platform.replay_events('crm', now(), 'infinity')$$, '23514',
  'Too many events wait for the subscription: replay once it is no longer full.', 'nor while half as many wait as may: new events find room');
rollback to half;
update settings.event_subscription set enabled = false;
select throws_ok($$select platform.replay_events('crm', now(), 'infinity')$$, '23514', 'The subscription is off: turn it on first.', 'nor while it is off');
update settings.event_subscription set enabled = true;
insert into platform.event select private.new_id(), 'session.opened', clock_timestamp(), null, null, 'user', null, '{}', 1, 100 + n, '\x00' from generate_series(1, 10000) n;
select throws_ok($$select platform.replay_events('crm', now(), 'infinity')$$, '23514',
  'There are more than 10000 events between from_at and to_at: choose a shorter time.', 'too many at once');
select * from finish();
rollback;
