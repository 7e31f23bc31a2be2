begin;
select plan(15);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
-- Without triggers, which lock the session's account.
set local session_replication_role = replica;
insert into "user".session (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at)
select private.new_id(), id, 'user', 'user', gen_random_uuid(), now() + interval '1 day', gen_random_uuid(), now() + interval '1 day' from actor;
reset session_replication_role;
create temp table session on commit drop as select s.id from "user".session s;
select test.make_account('+12025550102'), test.make_account('+12025550109');
create function pg_temp.replace(phone text, otp_id uuid default null) returns text language sql
as $$ select coalesce((e).details ->> 'reason', (e).code) from actor, session, private.replace_phone(session.id, actor.id, phone, otp_id, '{}', '192.0.2.1') e $$;
select is(pg_temp.replace('+12025550102'), 'already_registered', 'a phone with an account is refused');
select is((select array_agg(phone order by phone) from "user".account where xmax::text <> '0'), array['+12025550101', '+12025550102'],
  'after both accounts were locked, and no other one');
select is(pg_temp.replace('+12025550101'), 'already_registered', 'so is the own one');
select is(pg_temp.replace('+12025550103'), null, 'another one is taken');
select is((select phone from "user".account join actor using (id)), '+12025550103', 'and is the account''s');
select results_eq('select account_id, phone, asked_at from private.earlier_phone', $$select id, '+12025550101', null::timestamptz from actor$$,
  'the one before is remembered');
select private.revoke_session(id) from session;
select is(pg_temp.replace('+12025550104'), 'SESSION_REVOKED', 'without a live session no phone is replaced');
select is((select phone from "user".account join actor using (id)), '+12025550103', 'and nothing changes');

-- Codes
select test.clean_slate();
truncate actor, session;
insert into actor select test.make_account('+12025550101');
insert into session select s.session_id from actor, test.open_session(actor.id) s;
create temp table sent on commit drop as select (test.queue_otp('+12025550102', 'PHONE', 'PHONE_CHANGE', true, clock_timestamp(), account_id => id)).id from actor;
select is(pg_temp.replace('+12025550102', id), null, 'a code that was sent changes the phone') from sent;
select isnt((select verified_at from platform.otp_transaction join sent using (id)), null, 'and is used up');
create temp table fixed on commit drop as select (test.store_test_otp('+12025550103', 'PHONE_CHANGE', id)).id from actor;
select is(pg_temp.replace('+12025550103', id), 'INVALID_OTP', 'a fixed code does not, where another one confirmed the account') from fixed;
select is((select verified_at from platform.otp_transaction join fixed using (id)), null, 'nor is it used up');
update "user".account set verified_by_test_code = true;
select is(pg_temp.replace('+12025550103', id), null, 'it does where fixed codes alone confirmed it') from fixed;
select is((select verified_by_test_code from "user".account), true, 'which stays so');
select pg_temp.replace('+12025550104');
select is((select verified_by_test_code from "user".account), false, 'until a code that was sent changes the phone');

select * from finish();
rollback;
