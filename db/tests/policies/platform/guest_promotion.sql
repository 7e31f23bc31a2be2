begin;
select plan(9);
select test.clean_slate();
select test.open_session(test.make_account('+12025550101'), g.session_id) from test.open_session(null) g;

select policies_are('platform', 'guest_promotion', array['the admin sees every promotion'],
  'platform.guest_promotion has exactly the listed policies');
select throws_ok('set local role ' || role || '; select user_id from platform.guest_promotion', '42501', null, role || ' cannot read promotions')
from (values ('latchkey_server'), ('latchkey_worker'), ('latchkey_graphql'), ('latchkey_guest'), ('latchkey_user')) r (role);
reset role;

select test.become('latchkey_admin');
select is((select count(*)::integer from platform.guest_promotion), 1, 'the admin sees every promotion');
select throws_ok('update platform.guest_promotion set promoted_at = now()', '42501', null, 'the admin cannot update a promotion');
select throws_ok('delete from platform.guest_promotion', '42501', null, 'the admin cannot delete a promotion');

reset role;
select * from finish();
rollback;
