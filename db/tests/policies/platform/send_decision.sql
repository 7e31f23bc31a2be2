begin;
select plan(10);
select test.clean_slate();
select test.make_decision();

select policies_are('platform', 'send_decision', array['the admin sees every decision to send'],
  'platform.send_decision has exactly the listed policies');
select throws_ok('set local role ' || role || '; select id from platform.send_decision', '42501', null, role || ' cannot read decisions')
from (values ('latchkey_server'), ('latchkey_worker'), ('latchkey_graphql'), ('latchkey_guest'), ('latchkey_user')) r (role);
reset role;

select test.become('latchkey_admin');
select is((select count(*)::integer from platform.send_decision), 1, 'the admin sees every decision');
select throws_ok('update platform.send_decision set verdict = ''allowed''', '42501', null, 'the admin cannot update a decision');
select throws_ok('delete from platform.send_decision', '42501', null, 'the admin cannot delete a decision');
select throws_ok('select from private.send_count', '42501', null, 'the admin cannot read the counters');

reset role;
select * from finish();
rollback;
