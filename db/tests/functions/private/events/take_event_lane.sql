begin;
select plan(7);
select test.clean_slate();

-- That lanes which other transactions hold are passed over needs other connections: db/races/event_lanes.test.ts.
create temp table taken on commit drop as select l.* from private.take_event_lane() l;
select ok(t.lane between 1 and 64 and t.position = 0, 'a lane of 64 is taken') from taken t;
select ok((select count(distinct (private.take_event_lane()).lane) from generate_series(1, 64)) > 8, 'by chance');
select set_config('latchkey.event_lane', l.ctid::text, true) from private.event_lane l where l.lane = (select 1 + t.lane % 64 from taken t);
select is((private.take_event_lane()).lane, (select 1 + t.lane % 64 from taken t), 'or the one that the transaction has written to');
select set_config('latchkey.event_lane', hint, true) from (values ('(999999,9)')) h (hint);
select isnt((private.take_event_lane()).lane, null, 'a place without a lane is passed over');
select set_config('latchkey.event_lane', 'x', true);
select isnt((private.take_event_lane()).lane, null, 'and so is what is no place');
delete from private.event_lane l where l.lane <= 64;
insert into private.event_lane (lane) overriding system value values (65);
select is((private.take_event_lane()).lane, 65, 'any other one where that is not free');
delete from private.event_lane;
select is((select row(l.position, l.hash)::text from private.take_event_lane() l), row(0, decode(repeat('00', 32), 'hex'))::text, 'and a new one where none is free');

select * from finish();
rollback;
