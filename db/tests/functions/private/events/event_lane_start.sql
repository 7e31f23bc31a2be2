begin;
select plan(5);
select test.clean_slate();
select private.record_event('admin.acted', null) from generate_series(1, 3);
create temp table mine on commit drop as select distinct lane from platform.event;

select is((private.event_lane_start(lane, null)).position, 0::bigint, 'a lane starts with zeros') from mine;
select is((select row(s.position, s.hash)::text from private.event_lane_start(lane, second.at) s), row(first.position, first.hash)::text, 'or with the event before a time')
from mine join platform.event first using (lane) join platform.event second using (lane) where first.position = 1 and second.position = 2;
insert into platform.event select private.new_id(), 'admin.acted', clock_timestamp(), null, null, 'admin', null, '{}', lane + 1000, 1, '\x00' from mine;
select is((private.event_lane_start(lane, e.at)).position, 2::bigint, 'the last one before it, whatever other lanes hold')
from mine join platform.event e using (lane) where e.position = 3;
insert into private.event_base select lane, 2, '\x22' from mine;
select is((private.event_lane_start(lane, null)).position, 2::bigint, 'or with what was dropped') from mine;
select is((private.event_lane_start(lane, '2020-01-01')).position, 2::bigint, 'which is before every event that is left') from mine;

select * from finish();
rollback;
