begin;
select plan(7);
select test.clean_slate();
set local lock_timeout = '3s';

set local role latchkey_owner;
select private.attach_event_partition('event_2031_12', 'Events of then', private.first_id('2031-12-01'), private.first_id('2032-01-01'));
reset role;
select is(row(c.relrowsecurity, c.relowner::regrole, obj_description(c.oid))::text, row(true, 'latchkey_owner', 'Events of then')::text, 'a partition has row-level security and the owner of the others')
from pg_class c where c.oid = 'private.event_2031_12'::regclass;
select set_eq(
  $$select regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING', '') from pg_index i where i.indrelid = 'private.event_2031_12'::regclass$$,
  $$select regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING', '') from pg_index i where i.indrelid = 'platform.event'::regclass$$, 'and the indexes of the table');
insert into platform.event (id, type, at, actor, data, lane, position, hash)
values (private.first_id('2031-12-05'), 'admin.acted', '2031-12-05', 'admin', '{}', 0, 1, '');
select throws_ok('update private.event_2031_12 set data = ''{"a": 1}''', '23514', null, 'its rows are not updated');
select throws_ok('delete from private.event_2031_12', '23514', null, 'nor deleted');
select throws_ok('truncate private.event_2031_12', '23514', null, 'nor truncated');
select ok(p.proconfig @> array['lock_timeout=200ms'], 'nobody is held up for long')
from pg_proc p where p.oid = 'private.attach_event_partition'::regproc;
select is(current_setting('lock_timeout'), '3s', 'and the rest of the transaction waits as it did');

select * from finish();
rollback;
