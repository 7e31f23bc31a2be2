begin;
select plan(9);
select is((select (r).id from "user".revoke_session(gen_random_uuid()) r), null, 'a connection whose claims were never set revokes nothing');
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table fixture on commit drop as
  select name, (test.open_session(case name when 'bob' then bob when 'guest' then null else alice end)).session_id as id
  from actor, unnest(array['phone', 'laptop', 'bob', 'guest']) name;
grant select on actor, fixture to public;
create function pg_temp.live() returns text[] language sql security definer
as $$ select array_agg(f.name order by f.name) from fixture f join "user".session s on s.id = f.id where s.revoked_at is null $$;
select test.become('latchkey_user', alice) from actor;
select is((select (r).id from fixture, "user".revoke_session(id) r where name = 'laptop'), (select id from fixture where name = 'laptop'),
  'a user can revoke its own session and gets it as the result');
select is(pg_temp.live(), array['bob', 'guest', 'phone'], 'revoking one session revokes no other');
select is((select (r).id from fixture, "user".revoke_session(id) r where name = 'laptop'), null,
  'revoking a revoked session returns nothing');
select is((select (r).id from fixture, "user".revoke_session(id) r where name = 'bob'), null,
  'another user''s session is not found');
select is((select (r).id from fixture, "user".revoke_session(id) r where name = 'guest'), null, 'a guest''s session is not found');
reset role;
select test.become('latchkey_user');
select is((select (r).id from fixture, "user".revoke_session(id) r where name = 'phone'), null,
  'a user without a user id claim revokes nothing');
reset role;
select is(pg_temp.live(), array['bob', 'guest', 'phone'], 'sessions that were not found are still live');
select test.become('latchkey_guest', session_id => id) from fixture where name = 'guest';
select throws_ok($$select "user".revoke_session(id) from fixture where name = 'guest'$$, '42501', null,
  'a guest may not call revoke_session');
reset role;
select * from finish();
rollback;
