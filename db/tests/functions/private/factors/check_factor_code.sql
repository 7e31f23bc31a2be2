begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;

create temp table factor on commit drop as select test.make_factor(id) as id from actor;
create function pg_temp.check(code text, ids uuid[]) returns text language sql
as $$ select (private.check_factor_code(actor.id, row(code, null, test.code_key(), ids, case when ids is not null then array[test.totp_secret()] end)::private.factor_attempt)).code from actor $$;
select is(pg_temp.check('123456', null), 'FACTOR_SECRETS_REQUIRED', 'the server is asked for the secrets first');
select is(pg_temp.check(test.wrong_totp(), array[id]), 'INVALID_OTP', 'a wrong code is refused') from factor;
select is(factor_failures, 1, 'and counted') from "user".account;
select is(pg_temp.check(test.totp(), array[id]), null, 'the right one is taken') from factor;

select * from finish();
rollback;
