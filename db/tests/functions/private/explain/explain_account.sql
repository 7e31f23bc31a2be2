begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
create function pg_temp.state() returns text language sql as $$ select regexp_replace(private.explain_account(alice), '^account [-0-9a-f]{36}, which ', '') from actor $$;

select is(private.explain_account(null), null, 'no account has no state');
select is(private.explain_account(alice), 'account ' || alice || ', which can be signed in to', 'an account is named by its id') from actor;
update "user".account set disabled_at = '2026-01-31 13:05:00Z', disabled_reason = 'a theft', password_hash = null;
select is(pg_temp.state(), 'is disabled since 2026-01-31 13:05:00 UTC (a theft), has no password', 'one that is disabled, and has no password');
update "user".account set disabled_at = null, disabled_reason = null, deletion_due_at = '2026-01-31 13:05:00Z', factor_failures = 100, password_hash = crypto.crypt('x', crypto.gen_salt('bf', 4));
select is(pg_temp.state(), 'is deleted on 2026-01-31 13:05:00 UTC, has locked second factors (unlock_factors)', 'one that is to be deleted, whose factors are locked');
update "user".account set deletion_due_at = null, factor_failures = 99, phone = null;
select is(pg_temp.state(), 'has no phone any more', 'one whose number was recycled');
delete from "user".account;
select is(pg_temp.state(), 'is erased', 'one that is erased');

select * from finish();
rollback;
