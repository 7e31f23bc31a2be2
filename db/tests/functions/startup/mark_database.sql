begin;
select plan(20);
select test.clean_slate();
insert into private.installation (is_one) values (true) on conflict do nothing;
create function pg_temp.mark_age() returns integer language sql volatile
as $$ select round(extract(epoch from clock_timestamp() - i.marked_at) / 60)::integer from private.installation i $$;
update private.installation set origin = null, marked_at = null, restore_noticed_at = null;
select ok(startup.mark_database(null) is not null, 'the first call marks');
select is((select origin from private.installation), private.database_origin(), 'and records which copy of the data that is');
update private.installation set marked_at = clock_timestamp() - interval '2 seconds';
create temp table marked on commit drop as select marked_at from private.installation;
select ok(startup.mark_database(null) is not null, 'another one just after it reads the mark');
select is(i.marked_at, m.marked_at, 'and writes none') from private.installation i, marked m;
update private.installation set marked_at = clock_timestamp() - interval '10 minutes';
select is(startup.mark_database(null), private.sign_mark('epoch'), 'a later one marks again, and returns no mark that is not committed');
select is(pg_temp.mark_age(), 0, 'now');

update private.installation set origin.timeline = 99, marked_at = clock_timestamp() - interval '10 minutes';
select ok(startup.mark_database(private.sign_mark(clock_timestamp() - interval '10 minutes')) is not null, 'a standby that has the latest mark is settled');
select is((select array_agg(is_failover) from private.restore), array[true], 'and recorded');

update private.installation set origin.timeline = 99, marked_at = clock_timestamp() - interval '10 minutes';
select is(startup.mark_database(null), null, 'an old copy is refused');
select is(pg_temp.mark_age(), 10, 'and keeps its mark');
select is((select restore_noticed_at from private.installation), null, 'and the next process finds the same');
update private.installation set origin = private.database_origin();
select is(startup.mark_database(private.sign_mark(clock_timestamp())), null, 'so is a copy that is older than what the process has seen');
select is(startup.restored(), true, 'which is stored, for processes that have seen nothing');
select platform.after_restore();
select ok(startup.mark_database(private.sign_mark(clock_timestamp() - interval '1 second')) is not null, 'after it was settled, marks go on');
update private.installation set marked_at = clock_timestamp() - interval '10 minutes';
select ok(startup.mark_database(clock_timestamp()::text) is not null, 'a mark that the database has not signed is ignored');
select is(startup.restored(), false, 'and stops no process');
update private.installation set marked_at = clock_timestamp() + interval '10 minutes';
select is(pg_temp.mark_age(), -10, 'a mark of a clock that was ahead stays') from (select startup.mark_database(null)) m;
update private.installation set origin.timeline = 99;
select is(pg_temp.mark_age(), -10, 'and also a failover to a clock that is behind turns none back: others would take it for a restore')
from (select startup.mark_database(private.sign_mark(i.marked_at)) from private.installation i) m;
select ok(test.call_as(role, 'startup.mark_database(null)', null::text) is not null, role || ' may call it')
from (values ('latchkey_server'), ('latchkey_worker')) r (role);

select * from finish();
rollback;
