begin;
select plan(5);
select test.clean_slate();
create function pg_temp.last() returns jsonb language sql as $$
  select e.data from platform.event e where e.type = 'setting.changed' and e.data ->> 'key' = 'event_subscription.crm' order by e.at desc limit 1
$$;
select test.subscribe('crm', 'session.opened');
select is(pg_temp.last(), '{"key": "event_subscription.crm", "new": {"url": "https://hooks.example.com", "types": ["session.opened"],
  "secret_name": "crm", "enabled": true}}'::jsonb, 'a new subscription is an event');
update settings.event_subscription set enabled = false;
select is(pg_temp.last() #>> '{old,enabled}' || ' ' || (pg_temp.last() #>> '{new,enabled}'), 'true false', 'a change has old and new values');
update settings.event_subscription set url = url || '?a';
select is((select count(*)::integer from platform.event e where e.data ->> 'key' = 'event_subscription.crm'), 3, 'another query of the URL too, which is not told');
update settings.event_subscription set enabled = false;
select is((select count(*)::integer from platform.event e where e.data ->> 'key' = 'event_subscription.crm'), 3, 'an update that changes nothing is none');
delete from settings.event_subscription;
select is(pg_temp.last() -> 'new' is null and pg_temp.last() -> 'old' is not null, true, 'a deletion has old values');
select * from finish();
rollback;
