begin;
select plan(11);
select test.clean_slate();
select private.record_event('admin.acted', null, null, jsonb_build_object('number', n)) from generate_series(1, 5) n;
create temp table mine on commit drop as select distinct lane from platform.event;
create temp table third on commit drop as select e as event, e.at from platform.event e where position = 3;
grant select on mine, third to public;
create function pg_temp.fault_after(change text, from_at timestamptz default null, to_at timestamptz default null) returns text language plpgsql as $$
declare
  v_fault platform.event_fault;
begin
  -- As somebody who can switch off the trigger: the superuser.
  set local session_replication_role = replica;
  execute fault_after.change;
  v_fault := private.event_lane_fault((select m.lane from mine m), fault_after.from_at, fault_after.to_at);
  raise exception '%', concat_ws(' ', v_fault.fault, v_fault.position) using errcode = 'XX000';
exception when internal_error then
  return sqlerrm;
end
$$;

select is(pg_temp.fault_after('select'), '', 'a chain as it was written has no fault');
select is(pg_temp.fault_after('delete from platform.event where position = 3'), 'removed 3', 'a removed event is found');
select is(pg_temp.fault_after('delete from platform.event where position = 1'), 'removed 1', 'the first one too');
select is(pg_temp.fault_after('delete from platform.event where position >= 4'), 'removed 4', 'and the last ones');
select is(pg_temp.fault_after($s$update platform.event set data = '{"number": 33}' where position = 3$s$), 'changed 3', 'a changed event is found');
select is(pg_temp.fault_after($s$update platform.event e set data = '{}', hash = private.event_hash(b.hash, jsonb_populate_record(e, '{"data": {}}'))
    from platform.event b where e.position = 3 and b.position = 2$s$), 'changed 4', 'where its hash was changed as well, by the next one');
select is(pg_temp.fault_after($s$insert into platform.event select (jsonb_populate_record(t.event, jsonb_build_object('id', private.new_id()))).* from third t$s$), 'added 3',
  'an added event is found');
select is(pg_temp.fault_after($s$insert into platform.event select (jsonb_populate_record(t.event, jsonb_build_object('id', private.new_id(), 'position', 6))).* from third t$s$), 'added 6',
  'also after the last one');
select is(pg_temp.fault_after('delete from private.event_lane'), 'added 1', 'and in a lane that there is not');
select is(pg_temp.fault_after('delete from platform.event where position = 1', t.at), '', 'from a time on, earlier ones do not count') from third t;
select is(pg_temp.fault_after('delete from platform.event where position = 5', null, t.at), '', 'nor later ones, until a time') from third t;

select * from finish();
rollback;
