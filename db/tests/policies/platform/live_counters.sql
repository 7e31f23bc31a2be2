begin;
select plan(6);
select test.clean_slate();
select throws_ok('select sent from platform.live_counters', '42501', null, role || ' cannot read the counters')
from unnest(array['latchkey_guest', 'latchkey_user', 'latchkey_server', 'latchkey_worker']) role, test.become(role);
reset role;
select test.become('latchkey_admin');
select is((select count(*)::integer from platform.live_counters), 1, 'the admin sees one row');
select throws_ok('delete from platform.live_counters', '55000', null, 'the admin cannot change it');

reset role;
select * from finish();
rollback;
