begin;
select plan(10);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table fixture on commit drop as
  select name, (test.open_session(case name when 'bob' then bob when 'guest' then null else alice end)).session_id as id
  from actor, unnest(array['phone', 'laptop', 'old', 'bob', 'guest']) name;
update "user".session s set refresh_token_expires_at = clock_timestamp() from fixture f where s.id = f.id and f.name = 'old';
create function pg_temp.live() returns text[] language sql
as $$ select array_agg(f.name order by f.name) from fixture f join "user".session s on s.id = f.id where s.revoked_at is null $$;
create function pg_temp.revoke(target text) returns text language sql
as $$
  select (a.error).code || coalesce((a.error).details ->> 'reason', '') from actor, fixture mine, fixture f,
    api.revoke_session(mine.id, alice, f.id) a
  where mine.name = 'phone' and f.name = target
$$;

select is((select (test.call_as('latchkey_server', format('api.revoke_session(%L, %L, %L)', mine.id, alice, f.id), null::api.answer)).error
    from actor, fixture mine, fixture f where mine.name = 'phone' and f.name = 'laptop'), null, 'a user can revoke its own session');
select is(pg_temp.live(), array['bob', 'guest', 'old', 'phone'], 'revoking one session revokes no other');
select is(pg_temp.revoke('laptop'), 'SESSION_NOT_FOUNDnot_own_session', 'a revoked session is not found');
select is(pg_temp.revoke('old'), 'SESSION_NOT_FOUNDnot_own_session', 'an expired session is not found');
select is(pg_temp.revoke('bob'), 'SESSION_NOT_FOUNDnot_own_session', 'another user''s session is not found');
select is(pg_temp.revoke('guest'), 'SESSION_NOT_FOUNDnot_own_session', 'a guest''s session is not found');
select is(pg_temp.live(), array['bob', 'guest', 'old', 'phone'], 'sessions that were not found are still live');
select is(pg_temp.revoke('phone'), null, 'a user can revoke the session that asks');
select is(pg_temp.revoke('phone'), 'SESSION_REVOKED', 'a revoked caller gets SESSION_REVOKED, without a reason');
select is((select (api.revoke_session(mine.id, bob, mine.id)).error.details ->> 'reason' from actor, fixture mine where mine.name = 'laptop'),
  'session_missing', 'the caller''s session must be the caller''s');

select * from finish();
rollback;
