begin;
select plan(9);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
grant select on actor to public;
select test.open_session(alice), test.open_session(bob) from actor;
select test.become('latchkey_admin');
select is((select disabled_reason from actor, "user".disable_account(alice, 'spam')), 'spam', 'the admin disables an account');
reset role;
select is((select array_agg(s.user_id) from "user".session s where s.revoked_at is null), (select array[bob] from actor),
  'its sessions are revoked, and no others');
select is((private.usable_account('+12025550101')).id, null, 'nobody can sign in to it');
update "user".account set disabled_at = now() - interval '1 day' from actor where id = alice;
select is((select row(disabled_at, disabled_reason)::text from actor, "user".disable_account(alice, 'fraud')),
  row(now() - interval '1 day', 'fraud')::text, 'a second time changes the reason alone');
select is((select id from "user".disable_account(gen_random_uuid(), 'spam')), null, 'an account that does not exist is null');
select throws_ok(format('select "user".disable_account(bob, %L) from actor', reason), '23514', null, 'there must be a reason: ' || name)
from (values ('none', null), ('blanks', '  ')) as r (name, reason);
select is((select count(*)::integer from "user".account where disabled_at is not null), 1, 'no other account is disabled');
select test.become('latchkey_user', alice) from actor;
select throws_ok('select "user".disable_account(bob, ''spam'') from actor', '42501', null, 'a user may not disable accounts');
reset role;
select * from finish();
rollback;
