begin;
select plan(36);
select test.clean_slate();

select policies_are('user', 'account', array[
  'a guest has no account', 'a user sees its own account', 'the admin sees every account',
  'the admin changes any account''s email, and a phone that is missing', 'the admin deletes any account'
], '"user".account has exactly the listed policies');

create temp table actor on commit drop as
  select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob,
    test.make_registration('+12025550103') as unverified;
create temp table session on commit drop as select s.session_id as id from actor, test.open_session(alice) s;
grant select on actor, session to public;
create function pg_temp.seen() returns text[] language sql
as $$ select array_agg(phone order by phone) from "user".account $$;

-- Rows that each role sees
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.seen(), array['+12025550101'], 'a user sees its own account and no other');
reset role;
select test.become('latchkey_user', bob) from actor;
select is(pg_temp.seen(), array['+12025550102'], 'another user sees its own account and no other');
reset role;
select test.become('latchkey_user');
select is(pg_temp.seen(), null, 'a user without a user id claim sees no account');
reset role;
select test.become('latchkey_guest', alice, (select id from session)) from actor;
select is(pg_temp.seen(), null, 'a guest sees no account, whatever its claims');
reset role;
select test.become('latchkey_admin');
select is(pg_temp.seen(), array['+12025550101', '+12025550102'], 'the admin sees every account and no pending registration');

-- Columns that nobody can read
select throws_ok('select ' || secret || ' from "user".account', '42501', null, 'the admin cannot read ' || secret)
from (values ('password_hash')) c (secret);
select throws_ok('select 1 from "user".account where password_hash like ''$2a$10$%''', '42501', null,
  'the admin cannot filter by password_hash');

-- Changes by the admin
select lives_ok($$update "user".account set email = 'new@example.org' where phone = '+12025550101'$$,
  'the admin can change an account''s email');
select throws_ok(format('update "user".account set email = %L', email), '23514', null, format('%L is not an email that an account can have', email))
from (values ('garbage'), ('a b@example.org'), ('a@b@c'), (repeat('x', 250) || '@b.cc')) e (email);
select throws_ok('update "user".account set ' || change, '42501', null, 'the admin cannot set ' || change)
from (values ('id = gen_random_uuid()'), ('last_used_on = now()'), ('password_hash = null'), ('phone_verified_at = now()'),
  ('created_at = now()')) c (change);
select throws_ok($$update "user".account set phone = '+12025550199' where phone = '+12025550101'$$, '23514', null,
  'the admin cannot change the phone of an account that has one');
select throws_ok($$insert into "user".account (id, phone) values (gen_random_uuid(), '+12025550199')$$, '42501', null,
  'the admin cannot insert an account');
select lives_ok($$delete from "user".account where phone = '+12025550101'$$, 'the admin can delete an account');
reset role;
select is((select count(*)::integer from "user".session), 0, 'deleting an account deletes its sessions');
select is((select array_agg(phone order by phone) from "user".account), array['+12025550102'],
  'the admin''s delete removed only the account that it named');

-- Other roles can change nothing
select test.become('latchkey_user', bob) from actor;
select throws_ok('select ' || secret || ' from "user".account', '42501', null,
  'a user cannot read ' || secret || ', not even its own')
from (values ('password_hash')) c (secret);
select throws_ok('update "user".account set ' || change, '42501', null, 'a user cannot set ' || change)
from (values ('email = null'), ('phone = ''+12025550199'''), ('password_hash = null'), ('phone_verified_at = now()')) c (change);
select throws_ok('delete from "user".account', '42501', null, 'a user cannot delete an account');
select throws_ok($$insert into "user".account (id, phone) values (gen_random_uuid(), '+12025550199')$$, '42501', null,
  'a user cannot insert an account');
reset role;
select test.become('latchkey_guest', session_id => id) from session;
select throws_ok('select password_hash from "user".account', '42501', null, 'a guest cannot read password_hash');
select throws_ok('update "user".account set email = null', '42501', null, 'a guest cannot change an account');
select throws_ok('delete from "user".account', '42501', null, 'a guest cannot delete an account');
reset role;
select throws_ok('set local role ' || role || '; select id from "user".account', '42501', null, description)
from (values ('latchkey_server', 'latchkey_server cannot read accounts directly'),
  ('latchkey_worker', 'latchkey_worker cannot read accounts directly'),
  ('latchkey_graphql', 'latchkey_graphql cannot read accounts before SET ROLE')) r (role, description);

select * from finish();
rollback;
