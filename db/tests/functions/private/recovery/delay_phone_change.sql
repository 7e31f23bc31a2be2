begin;
select plan(7);
select test.clean_slate();
select test.make_account('+12025550101'), test.make_account('+12025550102');
create temp table caller on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s where a.phone = '+12025550101';
create function pg_temp.delay(phone text) returns api.phone_change_answer language sql
as $$ select private.delay_phone_change(c.session_id, c.user_id, phone, null, '{}', '192.0.2.1') from caller c $$;
select is((pg_temp.delay('+12025550102')).error.details ->> 'reason', 'already_registered', 'a phone that another account has is refused');
select is((select count(*)::integer from private.phone_recovery), 0, 'and nothing waits');
select ok((pg_temp.delay('+12025550103')).phone_change_due_at between now() + interval '3 days' and now() + interval '3 days 1 minute', 'the change waits for three days');
select is((select phone from "user".account a join caller c on c.user_id = a.id), '+12025550101', 'the phone stays until then');
select is((test.otp('+12025550101', 'PHONE_CHANGE_DUE')).delivery, 'queued', 'it is told');
select pg_temp.delay('+12025550104');
select is((select array_agg(phone) from private.phone_recovery), array['+12025550104'], 'another one takes its place');
select private.revoke_session(session_id) from caller;
select is((pg_temp.delay('+12025550103')).error.code, 'SESSION_REVOKED', 'a revoked session delays nothing');
select * from finish();
rollback;
