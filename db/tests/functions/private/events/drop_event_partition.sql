begin;
select plan(6);
select test.clean_slate(), private.add_event_partition('2020-01-01 00:00Z'), private.add_event_partition('2020-02-01 00:00Z');

-- Events of the past in one lane, chained as private.record_event chains them.
create function pg_temp.record_at(at timestamptz) returns void language plpgsql as $$
declare
  v_event platform.event;
  v_lane record;
begin
  select l.* into v_lane from private.event_lane l where l.lane = 1;
  v_event := row(private.first_id(record_at.at), 'admin.acted', record_at.at, null, null, 'admin', null, '{}', v_lane.lane, v_lane.position + 1, '');
  v_event.hash := private.event_hash(v_lane.hash, v_event);
  insert into platform.event select v_event.*;
  update private.event_lane l set position = v_event.position, hash = v_event.hash where l.lane = v_lane.lane;
end
$$;
select pg_temp.record_at('2020-01-31 23:00Z'), pg_temp.record_at('2020-01-31 23:01Z'), pg_temp.record_at('2020-02-01 01:00Z'), pg_temp.record_at('2020-02-01 01:01Z');
create temp table last on commit drop as select e.lane, e.position, e.hash from private.event_2020_01 e order by e.position desc limit 1;
select private.drop_event_partition('private.event_2020_01');
select is(to_regclass('private.event_2020_01'), null, 'drop_event_partition drops a month');
select results_eq('select * from private.event_base', 'select * from last', 'and remembers its last event');
select is_empty('select * from platform.verify_events()', 'what is left can be verified');
select private.drop_event_partition('private.event_2020_02');
select is_empty('select * from platform.verify_events()', 'also where nothing is left');
select ok(p.proconfig @> array['lock_timeout=200ms'], 'nobody is held up for long')
from pg_proc p where p.oid = 'private.drop_event_partition'::regproc;
select isnt(current_setting('lock_timeout'), '200ms', 'and the rest of the transaction waits as it did');

select * from finish();
rollback;
