begin;
select plan(44);
select test.clean_slate();

select policies_are('user', 'session', array[
  'a guest sees its own session', 'a user sees its own sessions', 'the admin sees every session',
  'the admin revokes any session', 'the admin deletes any session', 'the admin opens any session',
  'a session that has ended is not shown as live'
], '"user".session has exactly the listed policies');

create temp table actor on commit drop as
  select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table session on commit drop as
  select name, (test.open_session(case split_part(name, ' ', 1) when 'alice' then alice when 'bob' then bob end)).session_id as id
  from actor, (values ('alice phone'), ('alice laptop'), ('bob phone'), ('guest one'), ('guest two')) s (name);
grant select on actor, session to public;
create function pg_temp.seen() returns text[] language sql
as $$ select array_agg(k.name order by k.name) from "user".session s join session k on k.id = s.id $$;

-- Rows that each role sees
select test.become('latchkey_guest', session_id => id) from session where name = 'guest one';
select is(pg_temp.seen(), array['guest one'], 'a guest sees its own session and no other');
reset role;
select test.become('latchkey_guest', alice, (select id from session where name = 'guest one')) from actor;
select is(pg_temp.seen(), array['guest one'], 'a guest with a user id claim sees only its own session');
reset role;
select test.become('latchkey_guest');
select is(pg_temp.seen(), null, 'a guest without a session id claim sees no session');
reset role;
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.seen(), array['alice laptop', 'alice phone'],
  'a user sees its own sessions and none of another user or a guest');
reset role;
select test.become('latchkey_user', bob) from actor;
select is(pg_temp.seen(), array['bob phone'], 'another user sees its own sessions and no other');
reset role;
select test.become('latchkey_user', session_id => id) from session where name = 'guest one';
select is(pg_temp.seen(), null, 'a user without a user id claim sees no session, whatever its session id claim');
reset role;
select test.become('latchkey_user', gen_random_uuid());
select is(pg_temp.seen(), null, 'a user whose account does not exist sees no session');
reset role;
select test.become('latchkey_admin');
select is(pg_temp.seen(), array['alice laptop', 'alice phone', 'bob phone', 'guest one', 'guest two'], 'the admin sees every session');

-- Columns that nobody can read
select throws_ok('select ' || secret || ' from "user".session', '42501', null, 'the admin cannot read ' || secret)
from (values ('access_token_id'), ('refresh_token_id'), ('previous_refresh_token_id')) c (secret);
select throws_ok('select * from "user".session', '42501', null, 'the admin cannot select all columns');

-- Changes by the admin
select lives_ok($$update "user".session s set revoked_at = clock_timestamp() from session k where k.id = s.id and k.name = 'bob phone'$$,
  'the admin can revoke a session');
select lives_ok($$delete from "user".session s using session k where k.id = s.id and k.name = 'guest two'$$,
  'the admin can delete a session');
select throws_ok($$update "user".session s set revoked_at = null from session k where k.id = s.id and k.name = 'bob phone'$$,
  '23514', null, 'the admin cannot make a revoked session live again');
select lives_ok($$insert into "user".session (user_id) select alice from actor$$, 'the admin can insert a session for a user');
select throws_ok($$insert into "user".session (id) values (gen_random_uuid())$$, '42501', null,
  'the admin cannot choose a session''s id');
select throws_ok('update "user".session set ' || change, '42501', null, 'the admin cannot set ' || change)
from (values ('user_id = null'), ('user_type = ''guest'''), ('role = ''user'''), ('access_token_id = gen_random_uuid()'),
  ('refresh_token_id = gen_random_uuid()'), ('refresh_token_expires_at = ''infinity'''), ('access_token_expires_at = ''infinity''')) c (change);
reset role;
select is((select array_agg(k.name order by k.name) from session k join "user".session s on s.id = k.id where s.revoked_at is null),
  array['alice laptop', 'alice phone', 'guest one'], 'the admin''s statements changed only the sessions that they named');

-- Other roles can change nothing
select test.become('latchkey_user', alice) from actor;
select throws_ok('select ' || secret || ' from "user".session', '42501', null,
  'a user cannot read ' || secret || ', not even its own')
from (values ('access_token_id'), ('refresh_token_id'), ('previous_refresh_token_id')) c (secret);
select throws_ok('update "user".session set revoked_at = null', '42501', null, 'a user cannot change revoked_at');
select throws_ok('update "user".session set user_id = user_id', '42501', null, 'a user cannot change user_id');
select throws_ok('delete from "user".session', '42501', null, 'a user cannot delete a session');
select throws_ok($$insert into "user".session (id) values (gen_random_uuid())$$, '42501', null, 'a user cannot insert a session');
select throws_ok('truncate "user".session', '42501', null, 'a user cannot truncate the table');
reset role;
select test.become('latchkey_guest', session_id => id) from session where name = 'guest one';
select throws_ok('select ' || secret || ' from "user".session', '42501', null,
  'a guest cannot read ' || secret || ', not even its own')
from (values ('access_token_id'), ('refresh_token_id'), ('previous_refresh_token_id')) c (secret);
select throws_ok('update "user".session set revoked_at = null', '42501', null, 'a guest cannot change revoked_at');
select throws_ok('update "user".session set user_type = ''user''', '42501', null, 'a guest cannot change user_type');
select throws_ok('delete from "user".session', '42501', null, 'a guest cannot delete a session');
select throws_ok($$insert into "user".session (id) values (gen_random_uuid())$$, '42501', null,
  'a guest cannot insert a session');
reset role;
set local role latchkey_server;
select throws_ok('select id from "user".session', '42501', null, 'latchkey_server cannot read sessions directly');
reset role;
set local role latchkey_worker;
select throws_ok('select id from "user".session', '42501', null, 'latchkey_worker cannot read sessions directly');
reset role;
set local role latchkey_graphql;
select throws_ok('select id from "user".session', '42501', null, 'latchkey_graphql cannot read sessions before SET ROLE');

reset role;
select * from finish();
rollback;
