begin;
select plan(13);
select test.clean_slate();
select test.insert_hits('A:x', now()), test.insert_hits('B:x', now());

select policies_are('platform', 'rate_limit', array['the admin sees every rate limit', 'the admin deletes any rate limit'],
  'rate limits have these policies and no other');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select key from platform.rate_limit', '42501', null, 'a user sees no rate limit');
select throws_ok('delete from platform.rate_limit', '42501', null, 'and deletes none, its own neither');
reset role;
select test.become('latchkey_guest');
select throws_ok('select key from platform.rate_limit', '42501', null, 'a guest sees none');
select throws_ok('delete from platform.rate_limit', '42501', null, 'and deletes none');
reset role;
select throws_ok('set local role ' || role || '; select key from platform.rate_limit', '42501', null, description)
from (values ('latchkey_server', 'the server reads none but through its functions'), ('latchkey_worker', 'nor does the worker'),
  ('latchkey_graphql', 'nor GraphQL''s login before it has become somebody')) r (role, description);

select test.become('latchkey_admin');
select results_eq('select key collate "default" from platform.rate_limit order by 1', array['A:x', 'B:x'], 'the admin sees every rate limit');
select throws_ok('update platform.rate_limit set hits = ''{}''', '42501', null, 'and changes none');
select throws_ok('insert into platform.rate_limit (key) values (''C:x'')', '42501', null, 'makes none');
select lives_ok('delete from platform.rate_limit where key = ''A:x''', 'but deletes any');
select results_eq('select key collate "default" from platform.rate_limit', array['B:x'], 'and that one alone');

reset role;
select * from finish();
rollback;
