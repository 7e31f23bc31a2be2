begin;
select plan(13);
select test.clean_slate();
select test.insert_hits('A:x', now()), test.insert_hits('B:x', now());

select policies_are('platform', 'rate_limit', array['the admin sees every rate limit', 'the admin deletes any rate limit'],
  'platform.rate_limit has exactly the listed policies');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select key from platform.rate_limit', '42501', null, 'a user cannot read rate limits');
select throws_ok('delete from platform.rate_limit', '42501', null, 'a user cannot delete rate limits');
reset role;
select test.become('latchkey_guest');
select throws_ok('select key from platform.rate_limit', '42501', null, 'a guest cannot read rate limits');
select throws_ok('delete from platform.rate_limit', '42501', null, 'a guest cannot delete rate limits');
reset role;
select throws_ok('set local role ' || role || '; select key from platform.rate_limit', '42501', null, description)
from (values ('latchkey_server', 'latchkey_server cannot read rate limits directly'),
  ('latchkey_worker', 'latchkey_worker cannot read rate limits directly'),
  ('latchkey_graphql', 'latchkey_graphql cannot read rate limits before SET ROLE')) r (role, description);

select test.become('latchkey_admin');
select results_eq('select key collate "default" from platform.rate_limit order by 1',
  array['A:x', 'B:x'], 'the admin sees every rate limit');
select throws_ok('update platform.rate_limit set hits = ''{}''', '42501', null, 'the admin cannot update a rate limit');
select throws_ok('insert into platform.rate_limit (key) values (''C:x'')', '42501', null, 'the admin cannot insert a rate limit');
select lives_ok('delete from platform.rate_limit where key = ''A:x''', 'the admin can delete a rate limit');
select results_eq('select key collate "default" from platform.rate_limit', array['B:x'],
  'the admin''s delete removed only the rate limit that it named');

reset role;
select * from finish();
rollback;
