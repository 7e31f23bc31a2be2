begin;
select plan(11);
select test.clean_slate();
select policies_are('platform', 'delivery_attempt', array['the admin sees every delivery attempt'],
  'platform.delivery_attempt has exactly the listed policies');
create temp table attempt on commit drop as
  select a.id, o.id as otp_id from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now()) o, private.start_attempt(o, 'console') a;
grant select on attempt to latchkey_admin;

select test.become('latchkey_user');
select throws_ok('select id from platform.delivery_attempt', '42501', null, 'a user cannot read delivery attempts');
reset role;
select test.become('latchkey_guest');
select throws_ok('select id from platform.delivery_attempt', '42501', null, 'a guest cannot read delivery attempts');
reset role;
select throws_ok('set local role ' || role || '; select id from platform.delivery_attempt', '42501', null, description)
from (values ('latchkey_server', 'latchkey_server cannot read delivery attempts directly'),
  ('latchkey_worker', 'latchkey_worker cannot read delivery attempts directly'),
  ('latchkey_graphql', 'latchkey_graphql cannot read delivery attempts before SET ROLE')) r (role, description);

select test.become('latchkey_admin');
select results_eq('select id, otp_id from platform.delivery_attempt', 'select id, otp_id from attempt', 'the admin sees every attempt');
select throws_ok('update platform.delivery_attempt set outcome = ''sent''', '42501', null, 'the admin cannot update an attempt');
select throws_ok('delete from platform.delivery_attempt', '42501', null, 'the admin cannot delete an attempt by itself');
select lives_ok('delete from platform.otp_transaction o using attempt a where o.id = a.otp_id', 'the admin can delete its one-time password');
reset role;
select is_empty('select from platform.delivery_attempt', 'attempts are deleted with their one-time password');

select * from finish();
rollback;
