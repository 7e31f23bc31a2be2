begin;
select plan(31);
select test.clean_slate();

select policies_are('platform', 'otp_transaction', array[
  'a guest has no one-time passwords', 'a user sees the codes sent to its phone since it was verified', 'the admin sees every one-time password', 'the admin deletes any one-time password'
], 'one-time passwords have these policies and no other');

create temp table actor on commit drop as
  select test.make_account('+12025550101', verified_at => now() - interval '1 hour') as alice, test.make_account('+12025550102') as bob,
    test.make_registration('+12025550103') as nobody_yet;
create temp table otp on commit drop as
  select name, (private.queue_otp(phone, 'LOGIN', true, now() + since)).id from (values
    ('alice now', '+12025550101', interval '0'),
    ('alice at once', '+12025550101', interval '-1 hour'),
    ('before alice', '+12025550101', interval '-1 hour -1 microsecond'),
    ('bob', '+12025550102', interval '0'),
    ('unverified', '+12025550103', interval '0'),
    ('nobody', '+12025550104', interval '0')
  ) o (name, phone, since);
grant select on actor, otp to public;
create function pg_temp.seen() returns text[] language sql
as $$ select array_agg(k.name order by k.name) from platform.otp_transaction o join otp k on k.id = o.id $$;

-- What each sees
select test.become('latchkey_user', alice) from actor;
select is(pg_temp.seen(), array['alice at once', 'alice now'], 'a user sees what was sent to its phone since it was verified, and nothing before');
reset role;
select test.become('latchkey_user', bob) from actor;
select is(pg_temp.seen(), array['bob'], 'so does the other user');
reset role;
select test.become('latchkey_user', nobody_yet) from actor;
select is(pg_temp.seen(), null, 'an account that is not verified sees nothing');
reset role;
select test.become('latchkey_user');
select is(pg_temp.seen(), null, 'a user without a claim sees nothing');
reset role;
select test.become('latchkey_guest', alice) from actor;
select is(pg_temp.seen(), null, 'a guest sees nothing, whatever it claims');
reset role;
select test.become('latchkey_admin');
select is(array_length(pg_temp.seen(), 1), 6, 'the admin sees every one-time password');

-- What nobody reads, and what the admin changes
select throws_ok('select ' || secret || ' from platform.otp_transaction', '42501', null, 'the admin reads no ' || secret)
from (values ('code_hash'), ('delivery'), ('awaited'), ('counted_at'), ('current_since')) c (secret);
select throws_ok('update platform.otp_transaction set ' || change, '42501', null, 'the admin does not set ' || change)
from (values ('code_hash = null'), ('attempts = 0'), ('verified_at = null'), ('expires_at = ''infinity'''), ('current_since = now()')) c (change);
select throws_ok('insert into platform.otp_transaction (id) values (gen_random_uuid())', '42501', null, 'the admin makes none');
select lives_ok($$delete from platform.otp_transaction o using otp k where k.id = o.id and k.name = 'bob'$$, 'the admin deletes any one-time password');
reset role;
select is((select count(*)::integer from platform.otp_transaction), 5, 'and that one alone is gone');

-- What others change: nothing
select test.become('latchkey_user', alice) from actor;
select throws_ok('select ' || secret || ' from platform.otp_transaction', '42501', null, 'a user reads no ' || secret)
from (values ('code_hash'), ('delivery')) c (secret);
select throws_ok('update platform.otp_transaction set attempts = 0', '42501', null, 'a user gives itself no new attempts');
select throws_ok('update platform.otp_transaction set verified_at = null', '42501', null, 'and makes no used code good again');
select throws_ok('delete from platform.otp_transaction', '42501', null, 'it deletes none');
select throws_ok('insert into platform.otp_transaction (id) values (gen_random_uuid())', '42501', null, 'and makes none');
reset role;
select test.become('latchkey_guest');
select throws_ok('select code_hash from platform.otp_transaction', '42501', null, 'a guest reads no code_hash');
select throws_ok('update platform.otp_transaction set attempts = 0', '42501', null, 'and changes nothing');
reset role;
select throws_ok('set local role ' || role || '; select id from platform.otp_transaction', '42501', null, description)
from (values ('latchkey_server', 'the server reads none but through its functions'), ('latchkey_worker', 'nor does the worker'),
  ('latchkey_graphql', 'nor GraphQL''s login before it has become somebody')) r (role, description);

select * from finish();
rollback;
