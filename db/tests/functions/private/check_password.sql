begin;
select plan(10);
select test.clean_slate();
select test.make_account('+12025550101');
select test.watch_bcrypt();
create function pg_temp.check(phone text, password text, client text default '192.0.2.1') returns text language sql
as $$ select row(c.is_right, (c.error).details ->> 'policy', c.counted_at)::text
  from private.check_password(private.usable_account(phone), phone, test.prehash(password), client) c $$;

select is(pg_temp.check('+12025550101', 'correct horse'), '(t,,)', 'the right password is right');
create temp table work on commit drop as select test.bcrypt_rounds() as rounds;
select is(pg_temp.check('+12025550101', 'incorrect'), '(f,,)', 'another one is wrong');
select is(test.bcrypt_rounds(), (select rounds from work), 'after the same work');
select is(pg_temp.check('+12025550109', 'correct horse'), '(f,,)', 'none is right for an unknown phone');
select is(test.bcrypt_rounds(), (select rounds from work), 'after the same work');
select is((select count(*)::integer from platform.rate_limit), 0, 'nothing is counted yet');
select test.insert_hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2', variadic array_fill(clock_timestamp(), array[10]));
select is(pg_temp.check('+12025550101', 'correct horse', '192.0.2.2'), '(,LOGIN_FAILURES_PER_PHONE_AND_IP,)', 'a spent limit refuses');
select is(test.bcrypt_rounds(), 0::bigint, 'without bcrypt');
update "user".account set password_hash = null;
select is(pg_temp.check('+12025550101', 'correct horse'), '(f,,)', 'none is right for an account without a password');
select ok(test.bcrypt_rounds() > 0, 'and it is compared with a decoy');

select * from finish();
rollback;
