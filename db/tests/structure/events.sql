-- Every type of event is written by the flow that it tells, and no other type is.
begin;
select plan(5);
select test.clean_slate();
select test.set_setting('EVENT_SESSION_REFRESHED', '"on"'), test.set_setting('EMAIL_DELIVERY', '"on"'), test.set_setting('EMAIL_SIGN_IN', '"on"');
select test.set_setting('PHONE_RECOVERY_BY_EMAIL', '"on"');
create function pg_temp.code(phone text, purpose text, account_id uuid default null) returns text language sql as $$ select test.send_code(code.phone, code.purpose, code.account_id) $$;

-- A registration, whose guest becomes a user
create temp table guest on commit drop as select g.session_id as id from api.create_guest_session('192.0.2.1', null) g;
create temp table registered on commit drop as select a.user_id as id from api.register('+12025550101', null, test.prehash('correct horse'), 20, false, '192.0.2.1') a;
create temp table mine on commit drop as
  select s.* from registered, guest, api.verify_registration('+12025550101', pg_temp.code('+12025550101', 'SIGNUP'), test.code_key(), '192.0.2.1', registered.id, null, null, guest.id) s;
select is((select (m.error).code from mine m), null, 'somebody signs up');

-- Passwords, refreshes and theft
select api.change_password(session_id, user_id, test.prehash('correct horse'), test.prehash('another horse'), 20, false, '192.0.2.1') from mine;
select api.log_in('+12025550101', test.prehash('wrong'), '192.0.2.1', null, null, null);
select api.reset_password('+12025550101', pg_temp.code('+12025550101', 'PASSWORD_RESET'), test.code_key(), test.prehash('third horse'), 20, false, '192.0.2.1');
create temp table again on commit drop as select s.* from api.log_in('+12025550101', test.prehash('third horse'), '192.0.2.1', null, null, null) s;
select api.refresh_session(session_id, refresh_token_id, '192.0.2.1', null) from again;
select api.refresh_session(session_id, gen_random_uuid(), '192.0.2.1', null) from again;

-- Codes, sent and not, wrong ones until they are blocked
select test.record_delivery(test.send_reset('+12025550101', false), 'refused');
select api.log_in_by_otp('+12025550101', test.wrong_code(c.code), test.code_key(), '192.0.2.1', null, null, null, null)
from (select pg_temp.code('+12025550101', 'LOGIN') as code) c, generate_series(1, 5);
select test.set_setting('OTP_SEND_PER_IP', '"1/60"');
select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.9', test.code_key(), 'US'), api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.9', test.code_key(), 'US');

-- Email, phone, factors
truncate again;
insert into again select s.* from api.log_in('+12025550101', test.prehash('third horse'), '192.0.2.1', null, null, null) s;
select private.replace_email(session_id, user_id, 'a@example.com', '{}', '192.0.2.1'), private.replace_email(session_id, user_id, null, '{}', '192.0.2.1') from again;
select pg_temp.code('+12025550102', 'PHONE_RECOVERY', user_id) from again;
select is((select (a.error).code from again, private.delay_phone_change(session_id, user_id, '+12025550102', (test.otp('+12025550102', 'PHONE_RECOVERY')).id, '{}', '192.0.2.1') a), null, 'a change of phone waits');
select api.stop_phone_change(session_id, user_id) from again;
select private.replace_phone(session_id, user_id, '+12025550103', (test.otp('+12025550101', 'LOGIN')).id, '{}', '192.0.2.1') from again;
create temp table app on commit drop as select test.make_factor(user_id) as id, user_id from again;
select private.make_recovery_codes(user_id, test.code_key()) from again;
update "user".account set factor_failures = 100 where id = (select user_id from again);
select "user".unlock_factors(user_id) from again;
select "user".remove_factor(id) from app;

-- The admin, and the account's end
select "user".invite('+12025550104', null, null, false);
select "user".disable_account(user_id, 'a reason'), "user".enable_account(user_id) from again;
truncate again;
insert into again select s.* from api.log_in('+12025550103', test.prehash('third horse'), '192.0.2.1', null, null, null) s;
select is((select (a.error).code from again, api.delete_account(session_id, user_id, test.prehash('third horse'), null, null, '192.0.2.1') a), null, 'an account is deleted');
select api.log_in('+12025550103', test.prehash('third horse'), '192.0.2.1', null, null, null);
select platform.clear_limits('+12025550103');
update settings.configuration set value = '7' where key = 'OTP_LENGTH' or key = 'PASSWORD_HASH_COST';
select "user".erase_account(id) from registered;

select set_eq('select e.type from platform.event e', 'select unnest(private.event_types())', 'each type is written by some flow');
select is_empty('select * from platform.verify_events()', 'and their chains verify, also once the account is erased');

select * from finish();
rollback;
