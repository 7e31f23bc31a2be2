begin;
select plan(6);
insert into private.installation (is_one) values (true) on conflict do nothing;
update private.installation set origin = private.database_origin(), marked_at = clock_timestamp(), restore_noticed_at = null;
select is(startup.restored(), false, 'the database is what it was');
update private.installation set origin.timeline = 99;
select is(startup.restored(), false, 'a standby that took over may be started on: the first mark settles it');
update private.installation set origin.system_identifier = 1;
select is(test.call_as(role, 'startup.restored()', null::boolean), true, role || ' is told of a restore')
from (values ('latchkey_server'), ('latchkey_worker'), ('latchkey_graphql')) r (role);
delete from private.installation;
select is(startup.restored(), false, 'a new database is no restored one');

select * from finish();
rollback;
