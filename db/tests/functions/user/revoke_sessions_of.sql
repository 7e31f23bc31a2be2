begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table mine on commit drop as
  select (test.open_session(alice)).session_id as id from actor, generate_series(1, 2);
grant select on actor, mine to public;
select test.open_session(alice), test.open_session(bob) from actor;
update "user".session s set revoked_at = now() where s.user_id = (select alice from actor) and s.id not in (select id from mine);
select test.become('latchkey_admin');
select is((select array_agg(r.id order by r.id) from actor, "user".revoke_sessions_of(alice) r where r.revoked_at is not null),
  (select array_agg(id order by id) from mine),
  'the admin revokes an account''s live sessions and gets them');
select is((select count(*)::integer from actor, "user".revoke_sessions_of(alice)), 0, 'a second time there are none');
reset role;
select is((select array_agg(s.user_id) from "user".session s where s.revoked_at is null), (select array[bob] from actor), 'no other session is revoked');
select test.become('latchkey_user', alice) from actor;
select throws_ok('select "user".revoke_sessions_of(bob) from actor', '42501', null, 'a user may not revoke others'' sessions');
reset role;
select * from finish();
rollback;
