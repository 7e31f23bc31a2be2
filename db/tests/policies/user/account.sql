begin;
select plan(31);
select test.clean_slate();

select policies_are('user', 'account', array[
  'a guest has no account', 'a user sees its own account', 'the admin sees every account', 'the admin changes any account''s email', 'the admin deletes any account'
], 'accounts have these policies and no other');

create temp table actor on commit drop as
  select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob,
    test.make_registration('+12025550103') as nobody_yet;
create temp table session on commit drop as select s.session_id as id from actor, private.open_session(alice) s;
grant select on actor, session to public;
create function pg_temp.seen() returns text[] language sql
as $$ select array_agg(phone order by phone) from "user".account $$;

-- What each sees
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.seen(), array['+12025550101'], 'a user sees its own account and no other');
reset role;
select test.become('latchkey_user', bob) from actor;
select is(pg_temp.seen(), array['+12025550102'], 'so does the other user');
reset role;
select test.become('latchkey_user');
select is(pg_temp.seen(), null, 'a user without a claim sees nothing');
reset role;
select test.become('latchkey_guest', alice, (select id from session)) from actor;
select is(pg_temp.seen(), null, 'a guest sees no account, whatever it claims');
reset role;
select test.become('latchkey_admin');
select is(pg_temp.seen(), array['+12025550101', '+12025550102'], 'the admin sees every account, and no registration that waits');

-- What nobody reads
select throws_ok('select ' || secret || ' from "user".account', '42501', null, 'the admin reads no ' || secret)
from (values ('password_hash')) c (secret);
select throws_ok('select 1 from "user".account where password_hash like ''$2a$10$%''', '42501', null, 'nor asks about a hash');

-- What the admin changes
select lives_ok($$update "user".account set email = 'new@example.org' where phone = '+12025550101'$$, 'the admin changes any account''s email');
select throws_ok('update "user".account set ' || change, '42501', null, 'the admin does not set ' || change)
from (values ('id = gen_random_uuid()'), ('phone = ''+12025550199'''), ('password_hash = null'), ('phone_verified_at = now()'),
  ('created_at = now()')) c (change);
select throws_ok($$insert into "user".account (id, phone) values (gen_random_uuid(), '+12025550199')$$, '42501', null, 'the admin makes no account');
select lives_ok($$delete from "user".account where phone = '+12025550101'$$, 'the admin deletes any account');
reset role;
select is((select count(*)::integer from "user".session), 0, 'its sessions go with it');
select is((select array_agg(phone order by phone) from "user".account), array['+12025550102'], 'and nobody else''s account');

-- What others change: nothing
select test.become('latchkey_user', bob) from actor;
select throws_ok('select ' || secret || ' from "user".account', '42501', null, 'a user reads no ' || secret || ', not even its own')
from (values ('password_hash')) c (secret);
select throws_ok('update "user".account set ' || change, '42501', null, 'a user does not set ' || change)
from (values ('email = null'), ('phone = ''+12025550199'''), ('password_hash = null'), ('phone_verified_at = now()')) c (change);
select throws_ok('delete from "user".account', '42501', null, 'a user deletes no account');
select throws_ok($$insert into "user".account (id, phone) values (gen_random_uuid(), '+12025550199')$$, '42501', null, 'and makes none');
reset role;
select test.become('latchkey_guest', session_id => id) from session;
select throws_ok('select password_hash from "user".account', '42501', null, 'a guest reads no password_hash');
select throws_ok('update "user".account set email = null', '42501', null, 'changes no account');
select throws_ok('delete from "user".account', '42501', null, 'and deletes none');
reset role;
select throws_ok('set local role ' || role || '; select id from "user".account', '42501', null, description)
from (values ('latchkey_server', 'the server reads no account but through its functions'), ('latchkey_worker', 'nor does the worker'),
  ('latchkey_graphql', 'nor GraphQL''s login before it has become somebody')) r (role, description);

select * from finish();
rollback;
