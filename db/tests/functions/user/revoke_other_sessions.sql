begin;
select plan(7);
select is((select (r).id from "user".revoke_other_sessions() r), null, 'a connection whose claims were never set revokes nothing');
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table fixture on commit drop as
  select name, (test.open_session(case name when 'bob' then bob when 'guest' then null else alice end)).session_id as id
  from actor, unnest(array['phone', 'laptop', 'tablet', 'bob', 'guest']) name;
grant select on actor, fixture to public;
select private.seal_identity(jsonb_build_object('sub', alice, 'user_type', 'user')) from actor;
select is_empty($$select "user".revoke_other_sessions()$$, 'nor does one whose session was never set');
create function pg_temp.live() returns text[] language sql security definer
as $$ select array_agg(f.name order by f.name) from fixture f join "user".session s on s.id = f.id where s.revoked_at is null $$;
select test.become('latchkey_user', alice, id) from actor, fixture where name = 'phone';
select is(array(select r.id from "user".revoke_other_sessions() r order by r.id),
  array(select id from fixture where name in ('laptop', 'tablet') order by id),
  'revoke_other_sessions returns the sessions that it revoked');
select is(pg_temp.live(), array['bob', 'guest', 'phone'],
  'revoke_other_sessions spares the current session, other users'' sessions and guest sessions');
select is_empty($$select "user".revoke_other_sessions()$$, 'a second call of revoke_other_sessions revokes nothing');
reset role;
select test.become('latchkey_user', bob) from actor;
select is_empty($$select "user".revoke_other_sessions()$$,
  'without a session claim nothing is revoked, since any session could be the current one');
reset role;
select test.become('latchkey_user');
select is_empty($$select "user".revoke_other_sessions()$$, 'without a user id claim nothing is revoked');
reset role;
select * from finish();
rollback;
