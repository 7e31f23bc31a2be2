begin;
select plan(17);
select test.clean_slate();
select test.make_account('+12025550101');
create temp table caller on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s;
update "user".session set amr = '{otp}', authenticated_at = now();
create function pg_temp.ask(phone text, password text default null) returns text language sql
as $$ select coalesce(concat_ws(' ', (a.error).code, (a.error).details ->> 'reason'), '') from caller c,
  api.request_phone_change(c.session_id, c.user_id, phone, test.prehash(password), '192.0.2.1', test.code_key(), 'US') a $$;
create function pg_temp.code(phone text) returns text language plpgsql as $$
declare v_id uuid := (select o.id from platform.otp_transaction o where o.identifier = phone and o.purpose ~ '^PHONE_(CHANGE|RECOVERY)$' order by o.created_at desc limit 1); v_body text;
begin v_body := (test.issue_code(v_id)).body; perform test.record_delivery(v_id, 'sent'); return v_body; end $$;
create function pg_temp.verify(phone text, otp text) returns text language sql
as $$ select concat_ws(' ', (a.error).code, (a.error).details ->> 'reason', case when a.phone_change_due_at > now() then 'later' end) from caller c,
  api.change_phone(c.session_id, c.user_id, phone, otp, test.code_key(), '192.0.2.' || (select 100 + count(*) from platform.rate_limit)) a $$;
create function pg_temp.phone() returns text language sql as $$ select phone from "user".account a join caller c on c.user_id = a.id $$;
select is(pg_temp.ask('+12025550102'), 'MISSING_FIELDS', 'by default the password is needed');
select test.set_setting('EMAIL_DELIVERY', '"on"'), test.set_setting('EMAIL_SIGN_IN', '"on"'), test.set_setting('PHONE_RECOVERY_BY_EMAIL', '"on"');
update "user".session set amr = '{sms}';
select is(pg_temp.ask('+12025550102'), 'INVALID_REQUEST recent_sign_in_required', 'of a session that a code by SMS opened, too');
update "user".session set amr = '{otp}';
select is(pg_temp.ask('+12025550102'), '', 'a session that a code by email opened asks without it');
create temp table code on commit drop as select pg_temp.code('+12025550102') as otp;
select is((select pg_temp.verify('+12025550102', otp) from code), 'later', 'the right code lets the phone change later');
select is(pg_temp.phone(), '+12025550101', 'the phone stays');
select is((select count(*)::integer from "user".session where revoked_at is not null), 0, 'no session ends yet');
select is((select pg_temp.verify('+12025550102', otp) from code), 'OTP_ALREADY_USED', 'the code is used');
-- No way round the delay: a code that was asked for without the password never changes the phone at once.
select api.stop_phone_change(session_id, user_id) from caller;
select pg_temp.ask('+12025550103');
create temp table stopped on commit drop as select pg_temp.code('+12025550103') as otp;
select api.stop_phone_change(session_id, user_id) from caller;
select pg_temp.ask('+12025550104');
select is((select pg_temp.verify('+12025550103', otp) from stopped), 'later', 'neither after the change was stopped nor after another phone was asked for');
select is(pg_temp.phone(), '+12025550101', 'the phone stays');
select test.set_setting('OTP_SEND_PER_IP', '"100/60"'), test.set_setting('OTP_SEND_PER_IDENTIFIER', '"100/60"');
-- With the password
select is(pg_temp.ask('+12025550105', 'correct horse'), '', 'with the password another code is sent');
create temp table proved on commit drop as select pg_temp.code('+12025550105') as otp;
select is((select pg_temp.verify('+12025550105', otp) from proved), '', 'which changes the phone at once');
select is(pg_temp.phone(), '+12025550105', 'the account has it');
select is((select count(*)::integer from private.phone_recovery), 0, 'and no other change waits');
-- Without a delay
select test.set_setting('RECOVERY_DELAY_SECONDS', '0');
update "user".session set amr = '{otp}', authenticated_at = now();
select is(pg_temp.ask('+12025550106'), '', 'without a delay');
create temp table atonce on commit drop as select pg_temp.code('+12025550106') as otp;
select is((select pg_temp.verify('+12025550106', otp) from atonce), '', 'the code changes the phone');
select is(pg_temp.phone(), '+12025550106', 'at once');
select test.set_setting('PHONE_RECOVERY_BY_EMAIL', '"off"');
select is((select pg_temp.verify('+12025550104', test.send_code('+12025550104', 'PHONE_RECOVERY', user_id)) from caller), 'INVALID_OTP', 'once it is off, a code that was asked for without the password is worth nothing');
select * from finish();
rollback;
