begin;
select plan(44);
select test.clean_slate();

select policies_are('user', 'session', array[
  'a guest sees its own session', 'a user sees its own sessions', 'the admin sees every session',
  'the admin revokes any session', 'the admin deletes any session', 'the admin opens any session'
], 'sessions have these policies and no other');

create temp table actor on commit drop as
  select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table session on commit drop as
  select name, (private.open_session(case split_part(name, ' ', 1) when 'alice' then alice when 'bob' then bob end)).session_id as id
  from actor, (values ('alice phone'), ('alice laptop'), ('bob phone'), ('guest one'), ('guest two')) s (name);
grant select on actor, session to public;
create function pg_temp.seen() returns text[] language sql
as $$ select array_agg(k.name order by k.name) from "user".session s join session k on k.id = s.id $$;

-- What each sees
select test.become('latchkey_guest', session_id => id) from session where name = 'guest one';
select is(pg_temp.seen(), array['guest one'], 'a guest sees its own session and no other');
reset role;
select test.become('latchkey_guest', alice, (select id from session where name = 'guest one')) from actor;
select is(pg_temp.seen(), array['guest one'], 'a guest that claims to be a user too sees no user''s');
reset role;
select test.become('latchkey_guest');
select is(pg_temp.seen(), null, 'a guest without a claim sees nothing');
reset role;
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.seen(), array['alice laptop', 'alice phone'], 'a user sees its own sessions, not those of another user or of a guest');
reset role;
select test.become('latchkey_user', bob) from actor;
select is(pg_temp.seen(), array['bob phone'], 'so does the other user');
reset role;
select test.become('latchkey_user', session_id => id) from session where name = 'guest one';
select is(pg_temp.seen(), null, 'a user without a user id sees nothing, whatever session it names');
reset role;
select test.become('latchkey_user', gen_random_uuid());
select is(pg_temp.seen(), null, 'a user that does not exist sees nothing');
reset role;
select test.become('latchkey_admin');
select is(pg_temp.seen(), array['alice laptop', 'alice phone', 'bob phone', 'guest one', 'guest two'], 'the admin sees every session');

-- What nobody reads
select throws_ok('select ' || secret || ' from "user".session', '42501', null, 'the admin reads no ' || secret)
from (values ('access_token_id'), ('refresh_token_id'), ('previous_refresh_token_id')) c (secret);
select throws_ok('select * from "user".session', '42501', null, 'nor every column');

-- What the admin changes
select lives_ok($$update "user".session s set revoked_at = clock_timestamp() from session k where k.id = s.id and k.name = 'bob phone'$$,
  'the admin revokes any session');
select lives_ok($$delete from "user".session s using session k where k.id = s.id and k.name = 'guest two'$$, 'the admin deletes any session');
select throws_ok($$update "user".session s set revoked_at = null from session k where k.id = s.id and k.name = 'bob phone'$$,
  '23514', null, 'but the admin brings none back to life');
select lives_ok($$insert into "user".session (user_id) select alice from actor$$, 'the admin opens a session for anybody');
select throws_ok($$insert into "user".session (id) values (gen_random_uuid())$$, '42501', null, 'and chooses none of its ids');
select throws_ok('update "user".session set ' || change, '42501', null, 'the admin does not set ' || change)
from (values ('user_id = null'), ('user_type = ''guest'''), ('role = ''user'''), ('access_token_id = gen_random_uuid()'),
  ('refresh_token_id = gen_random_uuid()'), ('refresh_token_expires_at = ''infinity'''), ('access_token_expires_at = ''infinity''')) c (change);
reset role;
select is((select array_agg(k.name order by k.name) from session k join "user".session s on s.id = k.id where s.revoked_at is null),
  array['alice laptop', 'alice phone', 'guest one'], 'and those two alone have changed');

-- What others change: nothing
select test.become('latchkey_user', alice) from actor;
select throws_ok('select ' || secret || ' from "user".session', '42501', null, 'a user reads no ' || secret || ', not even its own')
from (values ('access_token_id'), ('refresh_token_id'), ('previous_refresh_token_id')) c (secret);
select throws_ok('update "user".session set revoked_at = null', '42501', null, 'a user brings no session back to life');
select throws_ok('update "user".session set user_id = user_id', '42501', null, 'gives none to anyone');
select throws_ok('delete from "user".session', '42501', null, 'deletes none');
select throws_ok($$insert into "user".session (id) values (gen_random_uuid())$$, '42501', null, 'and makes none');
select throws_ok('truncate "user".session', '42501', null, 'nor empties the table');
reset role;
select test.become('latchkey_guest', session_id => id) from session where name = 'guest one';
select throws_ok('select ' || secret || ' from "user".session', '42501', null, 'a guest reads no ' || secret || ', not even its own')
from (values ('access_token_id'), ('refresh_token_id'), ('previous_refresh_token_id')) c (secret);
select throws_ok('update "user".session set revoked_at = null', '42501', null, 'a guest brings no session back to life');
select throws_ok('update "user".session set user_type = ''user''', '42501', null, 'and does not become a user');
select throws_ok('delete from "user".session', '42501', null, 'it deletes none');
select throws_ok($$insert into "user".session (id) values (gen_random_uuid())$$, '42501', null, 'and makes none');
reset role;
set local role latchkey_server;
select throws_ok('select id from "user".session', '42501', null, 'the server reads no session but through its functions');
reset role;
set local role latchkey_worker;
select throws_ok('select id from "user".session', '42501', null, 'nor does the worker');
reset role;
set local role latchkey_graphql;
select throws_ok('select id from "user".session', '42501', null, 'nor GraphQL''s login before it has become somebody');

reset role;
select * from finish();
rollback;
