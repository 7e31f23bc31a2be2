begin;
select plan(7);
select test.clean_slate();
select private.record_event('admin.acted', null) from generate_series(1, 3);
create temp table mine on commit drop as select distinct lane from platform.event;
-- A second lane.
delete from private.event_lane l using mine where l.lane = mine.lane;
select private.record_event('admin.acted', null);
insert into private.event_lane select lane, 3, hash from platform.event join mine using (lane) where position = 3;

select is_empty('select * from platform.verify_events()', 'events as they were written have no fault');
set local session_replication_role = replica;
savepoint intact;
delete from platform.event e using mine where e.lane = mine.lane and e.position = 3;
select results_eq('select f.lane, f.fault, f.position, f.event_id from platform.verify_events() f',
  $$select lane, 'removed', 3::bigint, null::uuid from mine$$, 'a removed last event is a fault, although there is no row to name');
rollback to intact;
delete from private.event_lane l using mine where l.lane = mine.lane;
select results_eq('select f.lane, f.fault, f.position from platform.verify_events() f',
  $$select lane, 'added', 1::bigint from mine$$, 'so is an event of a lane that there is not');
rollback to intact;
update platform.event set actor = 'system' where position = 1;
select results_eq('select f.fault, f.position, f.event_id from platform.verify_events() f order by f.lane',
  $$select 'changed', e.position, e.id from platform.event e where e.position = 1 order by e.lane$$, 'the first fault of each lane is named');
set local session_replication_role = origin;
select test.become('latchkey_admin');
select is((select count(*)::integer from platform.verify_events('2020-01-01', now() + interval '1 minute')), 2, 'the admin may ask');
select throws_ok($$select platform.verify_events(now(), now() - interval '1 day')$$, '23514', 'from_at must be before to_at.',
  'times in the wrong order are refused: no row would look like no fault');
reset role;
select throws_ok('set local role latchkey_user; select platform.verify_events()', '42501', null, 'a user may not');

select * from finish();
rollback;
