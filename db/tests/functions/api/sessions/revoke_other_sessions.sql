begin;
select plan(7);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table fixture on commit drop as
  select name, (test.open_session(case name when 'bob' then bob when 'guest' then null else alice end)).session_id as id
  from actor, unnest(array['phone', 'laptop', 'tablet', 'bob', 'guest']) name;
create function pg_temp.live() returns text[] language sql
as $$ select array_agg(f.name order by f.name) from fixture f join "user".session s on s.id = f.id where s.revoked_at is null $$;
create temp table answer on commit drop as select a.* from actor, fixture f,
  test.call_as('latchkey_server', format('api.revoke_other_sessions(%L, %L)', f.id, alice), null::api.revocation_answer) a
  where f.name = 'phone';

select is((select row((error).code, revoked)::text from answer), '(,2)', 'the answer says how many sessions were revoked');
select is(pg_temp.live(), array['bob', 'guest', 'phone'], 'all other sessions of the user are revoked, and nobody else''s');
select is((select (api.revoke_other_sessions(f.id, alice)).revoked from actor, fixture f where f.name = 'phone'), 0,
  'a second call revokes none');
select is((select (api.revoke_other_sessions(f.id, alice)).error.code from actor, fixture f where f.name = 'laptop'), 'SESSION_REVOKED',
  'a revoked session revokes nothing');
select is((select (api.revoke_other_sessions(f.id, alice)).error.code from actor, fixture f where f.name = 'bob'), 'SESSION_NOT_FOUND',
  'another user''s session revokes nothing');
select is((select (api.revoke_other_sessions(f.id, alice)).revoked from actor, fixture f where f.name = 'guest'), null,
  'a guest''s session revokes nothing');
select is(pg_temp.live(), array['bob', 'guest', 'phone'], 'after refusals all of them are still live');

select * from finish();
rollback;
