begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table opened on commit drop as
  select name, (private.open_session(case name when 'bob' then bob when 'guest' then null else alice end)).session_id as id
  from actor, unnest(array['phone', 'laptop', 'bob', 'guest']) name;
grant select on actor, opened to public;
create function pg_temp.live() returns text[] language sql security definer
as $$ select array_agg(o.name order by o.name) from opened o join "user".session s on s.id = o.id where s.revoked_at is null $$;
select test.become('latchkey_user', alice) from actor;
select is((select (r).id from opened, "user".revoke_session(id) r where name = 'laptop'), (select id from opened where name = 'laptop'),
  'a user revokes its own session, and is told which');
select is(pg_temp.live(), array['bob', 'guest', 'phone'], 'and no other');
select is((select (r).id from opened, "user".revoke_session(id) r where name = 'laptop'), null, 'one revoked before is not revoked again');
select is((select (r).id from opened, "user".revoke_session(id) r where name = 'bob'), null, 'somebody else''s is not found');
select is((select (r).id from opened, "user".revoke_session(id) r where name = 'guest'), null, 'nor is a guest''s');
reset role;
select test.become('latchkey_user');
select is((select (r).id from opened, "user".revoke_session(id) r where name = 'phone'), null, 'who claims to be nobody revokes nothing');
reset role;
select is(pg_temp.live(), array['bob', 'guest', 'phone'], 'all others live on');
select test.become('latchkey_guest', session_id => id) from opened where name = 'guest';
select throws_ok($$select "user".revoke_session(id) from opened where name = 'guest'$$, '42501', null, 'a guest logs out instead');
reset role;
select * from finish();
rollback;
