begin;
select plan(34);
select test.clean_slate();
select test.set_setting('EMAIL_DELIVERY', '"on"');
select test.make_account('+12025550101');
select test.make_account('+12025550102');
update "user".account set email = 'ada@example.org', email_verified_at = now() where phone = '+12025550101';
create function pg_temp.log_in(email text, password text default 'correct horse', client text default '192.0.2.1', phone text default null) returns text language sql
as $$ select coalesce(concat_ws(' ', (a.error).code, (a.error).details ->> 'reason', (a.error).details ->> 'policy'), '')
  from api.log_in(phone, test.prehash(password), client, null, null, null, null, email) a $$;
create function pg_temp.enter(email text, otp text, client text default '192.0.2.1') returns text language sql
as $$ select coalesce(concat_ws(' ', (a.error).code, (a.error).details ->> 'reason', a.created::text), '') from api.log_in_by_otp(null, otp, test.code_key(), client, email, null, null, null) a $$;

-- Off
select is(pg_temp.log_in('ada@example.org'), 'INVALID_REQUEST not_enabled', 'an email logs in nobody by default');
select is(pg_temp.enter('ada@example.org', '123456'), 'INVALID_REQUEST not_enabled', 'nor does a code for it');
select is((api.request_password_reset(null, '192.0.2.1', test.code_key(), null, '{}', null, 'ada@example.org')).error.details ->> 'reason', 'not_enabled', 'no reset is sent to it');
select is((api.reset_password(null, '123456', test.code_key(), test.prehash('new'), 12, false, '192.0.2.1', 'ada@example.org')).error.details ->> 'reason', 'not_enabled', 'nor accepted');
select test.set_setting('EMAIL_SIGN_IN', '"on"');

-- By password
select is(pg_temp.log_in('ada@example.org'), '', 'a verified email logs in');
select is((select row(s.user_id = a.id, s.amr)::text from "user".session s, "user".account a where a.phone = '+12025550101'), '(t,{pwd})', 'to its account');
select is(pg_temp.log_in('someone@example.org'), 'INVALID_REQUEST login_refused', 'an unverified one does not');
select is(pg_temp.log_in('nobody@example.org'), 'INVALID_REQUEST login_refused', 'nor does an unknown one');
select is(pg_temp.log_in('ada@example.org', phone => '+12025550101'), 'INVALID_REQUEST invalid', 'phone and email together are refused');
select is(pg_temp.log_in('ada@example.org', 'incorrect'), 'INVALID_REQUEST login_refused', 'a wrong password is refused');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 1, 'and counts for the account, by its phone');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:nobody@example.org'), 1, 'of an unknown email, for the email');
select test.set_setting('LOGIN_FAILURES_PER_PHONE_AND_IP', '"2/900"');
select is((api.log_in('+12025550101', test.prehash('incorrect'), '192.0.2.1', null, null, null)).error.details ->> 'reason', 'login_refused', 'a failure by the phone');
select is(pg_temp.log_in('ada@example.org'), 'RATE_LIMIT_EXCEEDED LOGIN_FAILURES_PER_PHONE_AND_IP', 'and one by the email spend one limit');
select is(pg_temp.log_in('a.da@example.org', 'incorrect', '192.0.2.4'), 'INVALID_REQUEST login_refused', 'another spelling is another address');
select is((select count(*)::integer from private.rate_limits_of('nobody@example.org', null)), 2, 'limits_of finds what an unknown email counts');

-- The same work for each address
select test.set_setting('LOGIN_FAILURES_PER_PHONE_AND_IP', '"10/900"'), test.watch_bcrypt();
create function pg_temp.rounds(email text) returns text language plpgsql as $$ begin
  perform test.bcrypt_rounds();
  return pg_temp.log_in(email, 'incorrect', '192.0.2.6') || test.bcrypt_rounds();
end $$;
update "user".account set password_hash = private.hash_password(test.prehash('correct horse'));
select ok(pg_temp.rounds('ada@example.org') ~ 'login_refused[1-9]', 'a wrong password costs bcrypt');
select is(pg_temp.rounds(e), pg_temp.rounds('ada@example.org'), e || ' costs as much') from unnest(array['someone@example.org', 'other@example.org']) e;
delete from platform.rate_limit;

-- The email is taken away while the password is compared
create or replace function private.renew_password_hash(account_id uuid, password_prehash text) returns void language sql as $$ select $$;
create function pg_temp.take_email() returns trigger language plpgsql as $$ begin update "user".account set email_verified_at = null, email = 'moved@example.org' where email = 'ada@example.org'; return new; end $$;
create trigger take_email after insert or update on platform.rate_limit for each row when (new.key like 'LOGINS_PER_PHONE%') execute function pg_temp.take_email();
select is(pg_temp.log_in('ada@example.org', client => '192.0.2.5'), 'INVALID_REQUEST login_refused', 'an email that the account loses meanwhile opens no session');
drop trigger take_email on platform.rate_limit;
update "user".account set email = 'ada@example.org', email_verified_at = now() where phone = '+12025550101';

-- By code
select test.clean_slate();
select test.set_setting('EMAIL_DELIVERY', '"on"'), test.set_setting('EMAIL_SIGN_IN', '"on"');
select test.make_account('+12025550101');
select test.make_account('+12025550102');
update "user".account set email = 'ada@example.org', email_verified_at = now() where phone = '+12025550101';
create temp table code on commit drop as select test.send_code('ada@example.org', 'LOGIN') as own, test.send_code('someone@example.org', 'LOGIN') as others;
select is((select pg_temp.enter('ada@example.org', test.wrong_code(own)) from code), 'INVALID_OTP', 'a wrong code is refused');
select is((select pg_temp.enter('someone@example.org', others) from code), 'INVALID_OTP', 'so is the right one for an unverified email');
select is((test.otp('someone@example.org', 'LOGIN')).attempts, 1, 'which costs an attempt');
select is((select count(*)::integer from "user".account), 2, 'and opens no account');
select is((select pg_temp.enter('ada@example.org', own) from code), 'false', 'the right one logs in');
select is((select array_agg(s.amr::text || (s.user_id = a.id)) from "user".session s, "user".account a where a.phone = '+12025550101'), array['{otp}true'], 'with amr otp');
select is((select pg_temp.enter('ada@example.org', own) from code), 'OTP_ALREADY_USED', 'once');
select is((select pg_temp.enter('ada@example.org', test.send_code('ada@example.org', 'EMAIL_CHANGE', id), '192.0.2.9') from "user".account where phone = '+12025550101'), 'INVALID_OTP', 'a code of another purpose does not');
select test.recycle('+12025550101');
select is(pg_temp.enter('ada@example.org', test.send_code('ada@example.org', 'LOGIN'), '192.0.2.7'), 'INVALID_OTP', 'a code opens no account that nobody has used for PHONE_RECYCLED_AFTER_DAYS');
select test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '"off"');
update "user".account set phone = null where phone = '+12025550101';
select is(pg_temp.enter('ada@example.org', test.send_code('ada@example.org', 'LOGIN'), '192.0.2.8'), 'INVALID_OTP', 'nor one that has lost its phone');
update "user".account set phone = '+12025550101' where phone is null;

-- A reset
select test.send_code('ada@example.org', 'LOGIN');
select is((api.request_password_reset(null, '192.0.2.1', test.code_key(), null, '{}', null, 'ada@example.org')).error, null, 'a reset is sent to a verified email');
select is((select (r.error).code from test.otp('ada@example.org', 'PASSWORD_RESET') o, test.issue_code(o.id) m, api.reset_password(null, m.body, test.code_key(), test.prehash('new horse'), 12, false, '192.0.2.1', 'ada@example.org') r), null,
  'and its code sets a new password');
select is(pg_temp.log_in('ada@example.org', 'new horse'), '', 'which logs in');
select is((select count(*)::integer from "user".session where revoked_at is not null or session_epoch = 0), 1, 'earlier sessions are revoked');

select * from finish();
rollback;
