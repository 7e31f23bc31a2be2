begin;
select plan(8);
select test.clean_slate();
create temp table sent on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
create function pg_temp.compare(code text) returns api.otp_answer language sql
as $$ select private.compare_code('PHONE', '+12025550101', 'SIGNUP', code, test.code_key()) $$;
select is((select pg_temp.compare(code) from sent), (select row(null, o.id, o.expires_at, null)::api.otp_answer from platform.otp_transaction o), 'the right code is right');
select is((select (pg_temp.compare(test.another(code))).error.code from sent), 'INVALID_OTP', 'another is not');
select is((select attempts from platform.otp_transaction), 0, 'which is the caller''s to count');
select test.age_otps('300 seconds');
select is((select (pg_temp.compare(code)).error.code from sent), 'OTP_EXPIRED', 'a right one that has expired says so');
select private.consume_otp(o.id) from platform.otp_transaction o;
select is((select (pg_temp.compare(code)).error.code from sent), 'OTP_ALREADY_USED', 'one that was used too');
select is((select pg_temp.compare(test.another(code)) from sent)::text, '("(INVALID_OTP,)",,,)', 'and neither to another code');
select is((private.compare_code('PHONE', '+12025550102', 'SIGNUP', '123456', test.code_key()))::text, '("(INVALID_OTP,)",,,)', 'as where there is none');
update platform.otp_transaction set code_hash = null;
select is((select (pg_temp.compare(code)).error.code from sent), 'INVALID_OTP', 'a one-time password whose code is not made yet has no right code');

select * from finish();
rollback;
