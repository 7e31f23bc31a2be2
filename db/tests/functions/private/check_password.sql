begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create function pg_temp.check(phone text, password text) returns text language sql
as $$
  select (e).code || ((e).details ->> 'reason')
  from (select private.check_password(private.usable_account(phone), phone, test.prehash(password), '192.0.2.1') as e) c
$$;
create function pg_temp.counted(part text) returns bigint language sql
as $$ select coalesce(sum(totals[cardinality(totals)] - totals[1]), 0)::bigint from platform.rate_limit where key like part || '%' $$;
select is(pg_temp.check('+12025550101', 'correct horse'), null, 'the right password is right');
select is(pg_temp.counted('LOGINS_PER_PHONE') || ' ' || pg_temp.counted('LOGIN_FAILURES'), '1 0', 'it counts as a login');
select is(pg_temp.check('+12025550101', 'wrong'), 'INVALID_REQUESTlogin_refused', 'a wrong one is refused');
select is(pg_temp.counted('LOGINS_PER_PHONE') || ' ' || pg_temp.counted('LOGIN_FAILURES'), '1 3', 'it counts as a failed login');
select is(pg_temp.check('+12025550109', 'correct horse'), 'INVALID_REQUESTlogin_refused', 'an unknown phone is refused');
update "user".account set disabled_at = now(), disabled_reason = 'spam';
select is(pg_temp.check('+12025550101', 'correct horse'), 'INVALID_REQUESTlogin_refused', 'a disabled account is refused');
update "user".account set disabled_at = null, disabled_reason = null;
select test.set_setting('LOGIN_FAILURES_PER_PHONE', '"1/900"');
select is(((private.check_password(a, a.phone, test.prehash('correct horse'), '192.0.2.9')).details ->> 'policy'), 'LOGIN_FAILURES_PER_PHONE',
  'while a limit is spent the right password is refused too') from "user".account a;

-- The account is disabled during the comparison. The replaced comparison takes the place of the admin's connection.
select test.clean_slate(), test.make_account('+12025550101');
create or replace function private.compare_password(password_prehash text, password_hash text) returns boolean language plpgsql
as $$ begin update "user".account set disabled_at = now(), disabled_reason = 'spam'; return true; end $$;
select is(pg_temp.check('+12025550101', 'correct horse'), 'INVALID_REQUESTlogin_refused',
  'an account that is disabled during the comparison is refused');
select * from finish();
rollback;
