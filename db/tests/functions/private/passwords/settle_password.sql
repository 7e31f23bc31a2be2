begin;
select plan(11);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.settle(is_right boolean, client text default '192.0.2.1', error api.error default null) returns text language sql
as $$
  select row(s.is_right, coalesce((s.error).details ->> 'policy', (s.error).details ->> 'reason', (s.error).code), s.counted_at is not null)::text
  from private.usable_account('+12025550101') a, private.settle_password(
    row(settle.error, settle.is_right, null)::private.password_check, a, test.password_attempt('+12025550101', client => client),
    private.login_rules(a.id)
  ) s
$$;
create function pg_temp.counted() returns text language sql
as $$ select concat_ws(' ', (select test.hits('LOGINS_PER_PHONE:' || a.id) from "user".account a), test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101')) $$;

select is(pg_temp.settle(true), '(t,,t)', 'a right password passes');
select is(pg_temp.counted(), '1 0', 'a right password counts against the rules for right ones');
select is(pg_temp.settle(false), '(f,login_refused,t)', 'a wrong one is refused');
select is(pg_temp.counted(), '1 1', 'a wrong password counts as a failure');
select is(pg_temp.settle(null, error => private.error('RATE_LIMIT_EXCEEDED')), '(,RATE_LIMIT_EXCEEDED,f)', 'an error of the check stays the answer');
select is(pg_temp.counted(), '1 1', 'and nothing is counted');
select test.insert_hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2', variadic array_fill(clock_timestamp(), array[10]));
select is(pg_temp.settle(true, '192.0.2.2'), '(t,LOGIN_FAILURES_PER_PHONE_AND_IP,f)', 'a limit that was spent meanwhile refuses the right one, too');
select is(pg_temp.settle(false, '192.0.2.2'), '(f,LOGIN_FAILURES_PER_PHONE_AND_IP,f)', 'a spent limit does not reveal that a wrong password is wrong');
select is((select row(s.is_right, (s.error).details ->> 'reason')::text from private.usable_account('+12025550101') a, lateral (
    select (jsonb_populate_record(a, '{"password_hash": "$2a$04$......................ooooooooooooooooooooooooooooooo"}')) as old) o,
  private.settle_password(row(null, true, null)::private.password_check, o.old, test.password_attempt('+12025550101', 'x'), '{}') s),
  '(f,login_refused)', 'a password that was replaced since it was compared is refused');
select is((select row(s.is_right, (s.error).details ->> 'reason')::text from private.usable_account('+12025550101') a, lateral (
    select (jsonb_populate_record(a, '{"phone": "+12025550102"}')) as old) o,
  private.settle_password(row(null, true, null)::private.password_check, o.old, test.password_attempt('+12025550102', 'x'), '{}') s),
  '(f,login_refused)', 'a password for a phone that the account has lost since is refused');
update "user".account set password_hash = null;
select is(pg_temp.settle(true), '(t,,t)', 'the first password of an account without one passes');

select * from finish();
rollback;
