begin;
select plan(5);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
select test.open_session(alice), test.open_session(bob) from actor;
create temp table due on commit drop as select private.schedule_deletion(alice) as at from actor;
select ok(at between clock_timestamp() + interval '14 days' - interval '1 minute' and clock_timestamp() + interval '14 days',
  'the deletion is due after ACCOUNT_DELETION_GRACE_SECONDS') from due;
select is((select a.deletion_due_at from "user".account a, actor where a.id = alice), (select at from due), 'the account says when');
select is((select array_agg(s.user_id) from "user".session s where s.revoked_at is null), (select array[bob] from actor),
  'the account''s sessions are revoked, and no others');
select is((select count(*)::integer from "user".account where deletion_due_at is not null), 1, 'no other account is to be deleted');
select test.set_setting('ACCOUNT_DELETION_GRACE_SECONDS', '0'), private.schedule_deletion(bob) from actor;
select is((private.usable_account('+12025550102')).id, null, 'without a grace the account cannot be signed in to from now on');
select * from finish();
rollback;
