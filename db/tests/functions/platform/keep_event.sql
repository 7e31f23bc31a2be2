begin;
select plan(13);
select test.clean_slate();
select private.record_event('admin.acted', gen_random_uuid(), null, '{}', '192.0.2.1');

-- Read before: what a statement reads it cannot truncate.
create temp table month on commit drop as select e.tableoid::regclass as partition from platform.event e;
select throws_ok('set local role latchkey_owner; ' || statement, '23514', 'events are neither changed nor removed', 'the owner too is refused: ' || statement)
from month, lateral (values
  ('update platform.event set type = ''x'''), ('delete from platform.event'), ('truncate platform.event'),
  ('update ' || partition || ' set client = ''192.0.2.2'''), ('update platform.event set client = null, actor = ''user'''), ('delete from ' || partition),
  ('truncate ' || partition), ('truncate private.event_other')
) s (statement);
reset role;
select throws_ok('set local role latchkey_admin; delete from platform.event', '42501', null, 'the admin has no right to it');
select throws_ok('set local role latchkey_admin; insert into platform.event (id) values (private.new_id())', '42501', null, 'nor to write one');
reset role;
select is((select count(*)::integer from platform.event), 1, 'the event stays');

update platform.event set client = null;
select is((select e.client from platform.event e), null, 'only an address may be removed');
select is_empty('select * from platform.verify_events()', 'and the chains still verify');

select * from finish();
rollback;
