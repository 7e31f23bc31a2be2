begin;
select plan(19);
select test.clean_slate();
select test.make_account('+12025550101');
select test.watch_bcrypt();
create function pg_temp.check(phone text, password text, client text default '192.0.2.1', foreign_prehash text default null) returns text language sql
as $$ select row(c.is_right, coalesce((c.error).details ->> 'policy', (c.error).details ->> 'parameters'), c.counted_at)::text
  from private.check_password(private.usable_account(phone), test.password_attempt(phone, password, client, foreign_prehash)) c $$;

select is(pg_temp.check('+12025550101', 'correct horse'), '(t,,)', 'the right password is right');
create temp table work on commit drop as select test.bcrypt_rounds() as rounds;
select is(pg_temp.check('+12025550101', 'incorrect'), '(f,,)', 'another one is wrong');
select is(test.bcrypt_rounds(), (select rounds from work), 'after the same work');
select is(pg_temp.check('+12025550109', 'correct horse'), '(f,,)', 'every password is wrong for an unknown phone');
select is(test.bcrypt_rounds(), (select rounds from work), 'after the same work');
select is((select count(*)::integer from platform.rate_limit), 0, 'nothing is counted yet');
select test.insert_hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2', variadic array_fill(clock_timestamp(), array[10]));
select is(pg_temp.check('+12025550101', 'correct horse', '192.0.2.2'), '(,LOGIN_FAILURES_PER_PHONE_AND_IP,)', 'a spent limit refuses');
select is(test.bcrypt_rounds(), 0::bigint, 'without bcrypt');
update "user".account set password_hash = null;
select is(pg_temp.check('+12025550101', 'correct horse'), '(f,,)', 'every password is wrong for an account without a password');
select ok(test.bcrypt_rounds() > 0, 'that password is compared with a decoy');

delete from "user".account;
select test.import_account('+12025550102', 'its parameters');
select test.bcrypt_rounds();
select is(pg_temp.check('+12025550102', 'correct horse'), '(,"its parameters",)', 'an imported hash needs the pre-hash of the foreign one');
select is(pg_temp.check('+12025550109', 'correct horse'), '(,"its parameters",)', 'an unknown phone needs it, too');
select is(test.bcrypt_rounds(), 0::bigint, 'without bcrypt');
select is(pg_temp.check('+12025550102', 'any', foreign_prehash => test.foreign_prehash('correct horse')), '(t,,)', 'the foreign pre-hash is then compared');
select is(test.bcrypt_rounds(), (select rounds from work), 'after the same work');
select is(pg_temp.check('+12025550102', 'correct horse', foreign_prehash => test.foreign_prehash('another')), '(f,,)', 'the native pre-hash is not');
select is(pg_temp.check('+12025550109', 'correct horse', foreign_prehash => test.foreign_prehash('correct horse')), '(f,,)', 'every password is wrong for an unknown phone');
select test.insert_hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550102 192.0.2.2', variadic array_fill(clock_timestamp(), array[10]));
select is(pg_temp.check('+12025550102', 'x', '192.0.2.2'), '(,LOGIN_FAILURES_PER_PHONE_AND_IP,)', 'a spent limit refuses before the foreign hash is computed');
delete from "user".account;
select test.make_account('+12025550102');
select is(pg_temp.check('+12025550102', 'correct horse', foreign_prehash => test.foreign_prehash('another')), '(t,,)',
  'a native hash is compared with the password, although another login has just replaced the imported one');

select * from finish();
rollback;
