begin;
select plan(2);
create temp table event on commit drop as
select row(
  gen_random_uuid(), 'session.opened', '2026-11-28 10:00:00.5+01'::timestamptz, gen_random_uuid(), null, 'user', '192.0.2.1', '{"amr": ["pwd"]}', 1, 1, '\x00'
)::platform.event as e;

select is(private.event_payload(e)::jsonb, jsonb_build_object(
  'type', 'session.opened', 'timestamp', '2026-11-28T09:00:00.500000Z',
  'data', jsonb_build_object('id', (e).id, 'user_id', (e).user_id, 'session_id', null, 'actor', 'user', 'details', '{"amr": ["pwd"]}'::jsonb)
), 'the body has type, timestamp and data, with ids') from event;
set local timezone to 'Pacific/Auckland';
select is(private.event_payload(e)::jsonb ->> 'timestamp', '2026-11-28T09:00:00.500000Z', 'in UTC, whatever the time zone of the worker''s session') from event;

select * from finish();
rollback;
