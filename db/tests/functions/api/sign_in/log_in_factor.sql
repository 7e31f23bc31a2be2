begin;
select plan(7);
select test.clean_slate();
select test.make_factor(test.make_account('+12025550109'));

-- api.log_in
create function pg_temp.by_password(password text) returns api.session_answer language sql
as $$ select api.log_in('+12025550109', test.prehash(password), '192.0.2.1', null, null, null) $$;
select is(((pg_temp.by_password('wrong')).error).details ->> 'reason', 'login_refused', 'a wrong password does not show that the account has a factor');
select is(((pg_temp.by_password('correct horse')).error).details ->> 'reason', 'second_factor_required', 'the right one asks for it');
select is((select count(*)::integer from "user".session), 0, 'nothing is opened');

-- api.log_in_by_otp
create temp table code on commit drop as select test.send_code('+12025550109', 'LOGIN') as code;
create function pg_temp.by_code(code text) returns api.session_answer language sql
as $$ select api.log_in_by_otp('+12025550109', code, test.code_key(), '192.0.2.1', null, null, null, null) $$;
select is(((pg_temp.by_code(test.wrong_code(code))).error).details, null, 'a wrong code does not show that the account has a factor') from code;
select is(((pg_temp.by_code(code)).error).details ->> 'reason', 'second_factor_required', 'the right one asks for it') from code;
select is(((pg_temp.by_code(code)).error).code, 'OTP_ALREADY_USED', 'and is used up') from code;
select is((select count(*)::integer from "user".session), 0, 'nothing is opened by a code');

select * from finish();
rollback;
