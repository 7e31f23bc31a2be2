begin;
select plan(3);
insert into private.event_base (lane, position, hash) values (1000, 7, '\x01');
select results_eq('select * from private.event_base_now(1000)', $$values (1000, 7::bigint, '\x01'::bytea)$$, 'what the last month that was dropped ended with');
select is_empty('select * from private.event_base_now(1001)', 'none for a lane without one');
select is(p.provolatile, 'v', 'as of now, whatever its caller sees (raced in db/races/event_lanes.test.ts)')
from pg_proc p where p.oid = 'private.event_base_now'::regproc;
select * from finish();
rollback;
