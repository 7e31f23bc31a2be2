begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

insert into private.recovery_code (user_id, code_hash) select id, private.hash_code(id, '0123456789', test.code_key()) from actor;
create function pg_temp.use(code text, recovery_code text default null) returns text language sql
as $$
  select (private.use_code(a, test.factor_attempt(code, recovery_code, array[factor.id]), private.lock_rate_limits(private.factor_rules(a.id)))).code
  from "user".account a, factor
$$;
select is(pg_temp.use(test.wrong_totp()), 'INVALID_OTP', 'a wrong code is refused');
select is(pg_temp.use(null, '9999999999'), 'INVALID_OTP', 'and a wrong recovery code');
select is(factor_failures, 2, 'both are counted') from "user".account;
select is(pg_temp.use(test.totp()), null, 'the right code is taken');
select is(factor_failures, 0, 'and ends the row of wrong ones') from "user".account;
select is(pg_temp.use(test.totp()), 'INVALID_OTP', 'once');
select is(pg_temp.use(null, '0123456789'), null, 'a recovery code is taken');
select is(pg_temp.use(null, '0123456789'), 'INVALID_OTP', 'once, too');

select * from finish();
rollback;
