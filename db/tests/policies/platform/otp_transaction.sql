begin;
select plan(31);
select test.clean_slate();

select policies_are('platform', 'otp_transaction', array[
  'a guest has no one-time passwords', 'a user sees the codes sent to its phone since it was verified',
  'the admin sees every one-time password', 'the admin deletes any one-time password'
], 'platform.otp_transaction has exactly the listed policies');

create temp table actor on commit drop as
  select test.make_account('+12025550101', verified_at => now() - interval '1 hour') as alice, test.make_account('+12025550102') as bob,
    test.make_registration('+12025550103') as unverified;
create temp table otp on commit drop as
  select name, (test.queue_otp(phone, 'PHONE', 'LOGIN', true, now() + since)).id from (values
    ('alice now', '+12025550101', interval '0'),
    ('alice at verification', '+12025550101', interval '-1 hour'),
    ('alice before verification', '+12025550101', interval '-1 hour -1 microsecond'),
    ('bob', '+12025550102', interval '0'),
    ('unverified', '+12025550103', interval '0'),
    ('unknown', '+12025550104', interval '0')
  ) o (name, phone, since);
grant select on actor, otp to public;
create function pg_temp.seen() returns text[] language sql
as $$ select array_agg(k.name order by k.name) from platform.otp_transaction o join otp k on k.id = o.id $$;

-- Rows that each role sees
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.seen(), array['alice at verification', 'alice now'],
  'a user sees the one-time passwords sent to its phone since the phone was verified');
reset role;
select test.become('latchkey_user', bob) from actor;
select is(pg_temp.seen(), array['bob'], 'another user sees only one-time passwords sent to its own phone');
reset role;
select test.become('latchkey_user', unverified) from actor;
select is(pg_temp.seen(), null, 'an unverified registration''s id sees no one-time password');
reset role;
select test.become('latchkey_user');
select is(pg_temp.seen(), null, 'a user without a user id claim sees no one-time password');
reset role;
select test.become('latchkey_guest', alice) from actor;
select is(pg_temp.seen(), null, 'a guest sees no one-time password, whatever its claims');
reset role;
select test.become('latchkey_admin');
select is(array_length(pg_temp.seen(), 1), 6, 'the admin sees every one-time password');

-- Columns that the admin can read and change
select throws_ok('select ' || secret || ' from platform.otp_transaction', '42501', null, 'the admin cannot read ' || secret)
from (values ('code_hash'), ('delivery'), ('awaited'), ('counted_at'), ('current_since')) c (secret);
select throws_ok('update platform.otp_transaction set ' || change, '42501', null, 'the admin cannot set ' || change)
from (values ('code_hash = null'), ('attempts = 0'), ('verified_at = null'),
  ('expires_at = ''infinity'''), ('current_since = now()')) c (change);
select throws_ok('insert into platform.otp_transaction (id) values (gen_random_uuid())', '42501', null,
  'the admin cannot insert a one-time password');
select lives_ok($$delete from platform.otp_transaction o using otp k where k.id = o.id and k.name = 'bob'$$,
  'the admin can delete a one-time password');
reset role;
select is((select count(*)::integer from platform.otp_transaction), 5,
  'the admin''s delete removed only the one-time password that it named');

-- Other roles can change nothing
select test.become('latchkey_user', alice) from actor;
select throws_ok('select ' || secret || ' from platform.otp_transaction', '42501', null, 'a user cannot read ' || secret)
from (values ('code_hash'), ('delivery')) c (secret);
select throws_ok('update platform.otp_transaction set attempts = 0', '42501', null, 'a user cannot reset its attempts');
select throws_ok('update platform.otp_transaction set verified_at = null', '42501', null,
  'a user cannot make a used code valid again');
select throws_ok('delete from platform.otp_transaction', '42501', null, 'a user cannot delete a one-time password');
select throws_ok('insert into platform.otp_transaction (id) values (gen_random_uuid())', '42501', null,
  'a user cannot insert a one-time password');
reset role;
select test.become('latchkey_guest');
select throws_ok('select code_hash from platform.otp_transaction', '42501', null, 'a guest cannot read code_hash');
select throws_ok('update platform.otp_transaction set attempts = 0', '42501', null, 'a guest cannot update a one-time password');
reset role;
select throws_ok('set local role ' || role || '; select id from platform.otp_transaction', '42501', null, description)
from (values ('latchkey_server', 'latchkey_server cannot read one-time passwords directly'),
  ('latchkey_worker', 'latchkey_worker cannot read one-time passwords directly'),
  ('latchkey_graphql', 'latchkey_graphql cannot read one-time passwords before SET ROLE')) r (role, description);

select * from finish();
rollback;
