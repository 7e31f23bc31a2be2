begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table opened on commit drop as
  select name, (private.open_session(case name when 'bob' then bob when 'guest' then null else alice end)).session_id as id
  from actor, unnest(array['phone', 'laptop', 'tablet', 'bob', 'guest']) name;
grant select on actor, opened to public;
create function pg_temp.live() returns text[] language sql security definer
as $$ select array_agg(o.name order by o.name) from opened o join "user".session s on s.id = o.id where s.revoked_at is null $$;
select test.become('latchkey_user', alice, id) from actor, opened where name = 'phone';
select is(array(select r.id from "user".revoke_other_sessions() r order by r.id),
  array(select id from opened where name in ('laptop', 'tablet') order by id),
  'a user is told which sessions ended');
select is(pg_temp.live(), array['bob', 'guest', 'phone'], 'all of its own but the one it asks with');
select is_empty($$select "user".revoke_other_sessions()$$, 'and the second time there is none left');
reset role;
select test.become('latchkey_user', bob) from actor;
select is_empty($$select "user".revoke_other_sessions()$$, 'who does not say which session asks revokes nothing: it might be that one');
reset role;
select * from finish();
rollback;
