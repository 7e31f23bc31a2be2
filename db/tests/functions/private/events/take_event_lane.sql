begin;
select plan(7);
select test.clean_slate();

-- That lanes which other transactions hold are passed over needs other connections: db/races/event_lanes.test.ts.
create temp table taken on commit drop as select l.* from private.take_event_lane() l;
select is((select row(t.lane, t.position)::text from taken t), row(1 + pg_backend_pid() % 64, 0)::text, 'a backend takes its own lane');
select is((private.take_event_lane()).lane, (select t.lane from taken t), 'and the same one again');
select set_config('latchkey.event_lane', l.ctid::text, true) from private.event_lane l where l.lane = (select 1 + t.lane % 64 from taken t);
select is((private.take_event_lane()).lane, (select 1 + t.lane % 64 from taken t), 'or the one that the transaction has written to');
select set_config('latchkey.event_lane', hint, true) from (values ('(999999,9)')) h (hint);
select is((private.take_event_lane()).lane, (select t.lane from taken t), 'a place without a lane is passed over');
select set_config('latchkey.event_lane', 'x', true);
select is((private.take_event_lane()).lane, (select t.lane from taken t), 'and so is what is no place');
delete from private.event_lane l where l.lane = (select t.lane from taken t);
select isnt((private.take_event_lane()).lane, (select t.lane from taken t), 'any other one where its own is not free');
delete from private.event_lane;
select is((select row(l.position, l.hash)::text from private.take_event_lane() l), row(0, decode(repeat('00', 32), 'hex'))::text, 'and a new one where none is free');

select * from finish();
rollback;
