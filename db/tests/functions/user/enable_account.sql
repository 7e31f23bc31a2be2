begin;
select plan(9);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;
select test.open_session(alice) from actor;
select "user".disable_account(alice, 'spam') from actor;
select test.become('latchkey_admin');
select is((select row(phone, disabled_at, disabled_reason)::text from actor, "user".enable_account(alice)), '(+12025550101,,)',
  'the admin enables an account');
reset role;
select is((private.usable_account('+12025550101')).id, (select alice from actor), 'its phone can sign in to it again');
select is((select count(*)::integer from "user".session where revoked_at is null), 0, 'its sessions stay revoked');
select is((select id from "user".enable_account(gen_random_uuid())), null, 'an account that does not exist is null');
select is((select row(a.was_disabled_reason, a.was_disabled_at <= a.enabled_at)::text from "user".account a), '(spam,t)',
  'it remembers when and why it was disabled, and when it was enabled');
update "user".account set was_disabled_at = now() - interval '2 days', enabled_at = now() - interval '1 day';
select is((select phone from actor, "user".enable_account(alice)), '+12025550101', 'enabling it once more is answered alike');
select is((select enabled_at from "user".account), now() - interval '1 day', 'and changes nothing');
select "user".disable_account(alice, 'fraud') from actor;
select "user".enable_account(alice) from actor;
select is((select was_disabled_reason from "user".account), 'fraud', 'the last time is remembered');
select test.become('latchkey_user', alice) from actor;
select throws_ok('select "user".enable_account(alice) from actor', '42501', null, 'a user may not enable accounts');
reset role;
select * from finish();
rollback;
