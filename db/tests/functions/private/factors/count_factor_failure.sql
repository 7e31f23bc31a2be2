begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select is((private.count_factor_failure(id, private.lock_rate_limits(private.factor_rules(id)))).code, 'INVALID_OTP', 'the answer of a wrong code') from actor;
select is(test.hits('FACTOR_FAILURES_PER_USER:' || id), 1, 'it counts against the limit') from actor;
select is(factor_failures, 1, 'and among those in a row') from "user".account;

select * from finish();
rollback;
