begin;
select plan(12);
select test.clean_slate();
create temp table otp on commit drop as
  select o.id, o.expires_at from private.store_otp(test.send_request('+12025550101'), 'withheld') o;
create function pg_temp.settle(deadline_reached boolean) returns api.otp_answer language sql
as $$ select a.* from platform.otp_transaction o join otp using (id), private.settle_withheld(o, deadline_reached) a $$;
create function pg_temp.due_in(time_left interval) returns void language sql
as $$ update platform.otp_transaction set answer_at = clock_timestamp() + time_left, current_since = null $$;
create function pg_temp.is_current() returns boolean language sql as $$ select current_since is not null from platform.otp_transaction $$;

-- Before the answer is due
select pg_temp.due_in('1 hour');
create temp table earliest on commit drop as select clock_timestamp() as at;
create temp table waits on commit drop as select * from pg_temp.settle(false);
create temp table latest on commit drop as select clock_timestamp() as at;
select is((select row(w.error, w.otp_id, w.expires_at)::text from waits w), (select row(null, id, expires_at)::text from otp),
  'before its answer is due it is answered as a send that is waited for');
select ok((
  select w.wait_seconds between round(extract(epoch from o.answer_at - l.at), 3) and round(extract(epoch from o.answer_at - e.at), 3)
  from waits w, earliest e, latest l, platform.otp_transaction o
), 'the wait is what is left of its time at this call, to the millisecond');
select is((select scale(wait_seconds) from waits), 3, 'and no finer than a timer is');
select is(pg_temp.is_current(), false, 'a notification does not make it current');
select is((pg_temp.settle(true)).error.code, 'OTP_SEND_FAILED', 'a server that stops meanwhile fails it, as it fails what is being sent');
select is(pg_temp.is_current(), false, 'which does not make it current either');

-- When it is due
select pg_temp.due_in('0.09 seconds');
select is(pg_temp.settle(true)::text, (select row(null, id, expires_at, null)::text from otp), 'a timer that ended a little early is answered');
select is(pg_temp.is_current(), true, 'and the one-time password current, as a delivered one');
select pg_temp.due_in('-1 second');
select is(pg_temp.settle(false)::text, (select row(null, id, expires_at, null)::text from otp), 'once it is due, a notification ends the wait, too');
update platform.otp_transaction set current_since = '2026-03-04T10:20:30Z';
select pg_temp.settle(true);
select is((select current_since from platform.otp_transaction), '2026-03-04T10:20:30Z', 'it becomes current once');
update platform.otp_transaction set current_since = null, answer_at = null;
select is((pg_temp.settle(false)).wait_seconds, null, 'one from before answers were due at a moment is answered at once');
select is(pg_temp.is_current(), true, 'and current');
select * from finish();
rollback;
