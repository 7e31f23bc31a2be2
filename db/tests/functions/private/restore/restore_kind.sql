begin;
select plan(15);
insert into private.installation (is_one) values (true) on conflict do nothing;
create function pg_temp.kind(change text, mark_age interval default '10 seconds', seen_age interval default null) returns text language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update private.installation
  set origin = private.database_origin(), marked_at = v_now - mark_age, restore_noticed_at = null;
  case change
    when 'nothing' then null;
    when 'unknown' then update private.installation set origin = null;
    when 'timeline' then update private.installation set origin.timeline = (origin).timeline - 1;
    when 'untold timeline' then update private.installation set origin.timeline = null;
    when 'cluster' then update private.installation set origin.system_identifier = 1;
    when 'table' then update private.installation set origin.table_id = 1;
    when 'noticed' then update private.installation set restore_noticed_at = v_now;
  end case;
  return private.restore_kind(v_now - seen_age);
end
$$;
select is(pg_temp.kind(change, age), kind, format('%s, with a mark of %s ago: %s', change, age, coalesce(kind, 'nothing')))
from (values
  ('nothing', interval '1 year', null), ('unknown', '1 year', null), ('untold timeline', '1 year', null),
  ('timeline', '10 seconds', 'failover'), ('timeline', '4 minutes', 'failover'), ('timeline', '6 minutes', 'restore'), ('timeline', '-1 hour', 'restore'),
  ('cluster', '10 seconds', 'restore'), ('table', '10 seconds', 'restore'), ('noticed', '10 seconds', 'restore')
) c (change, age, kind);
select is(pg_temp.kind('nothing', '10 minutes', '9 minutes 30 seconds'), null, 'who has seen a mark a little later notices nothing');
select is(pg_temp.kind('nothing', '10 minutes', '8 minutes'), 'restore', 'who has seen a mark minutes later notices a restore, whatever the timeline');
select is(pg_temp.kind('timeline', '1 hour', '1 hour'), 'failover', 'a standby that has the latest mark seen took over, however long that took');
select is(pg_temp.kind('timeline', '1 hour', '58 minutes'), 'restore', 'another timeline that lacks it comes from a backup');
delete from private.installation;
select is(private.restore_kind(now()), null, 'without a row nothing is noticed');

select * from finish();
rollback;
