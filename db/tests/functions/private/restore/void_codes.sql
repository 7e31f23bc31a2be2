begin;
select plan(11);
select test.clean_slate();
create temp table before on commit drop as
  select (test.make_account('+12025550101')) as user_id, test.send_code('+12025550101', 'LOGIN') as code;
create temp table waiting on commit drop as select o.id from test.queue_otp('+12025550102', 'PHONE', 'LOGIN', true, clock_timestamp()) o;
select is((select count(*)::integer from test.queued_payloads()), 2, 'two messages are in the queue');
select graphile_worker.add_job('clean_up');
update graphile_worker._private_jobs set locked_by = 'a worker of the old database', locked_at = now();
insert into private.factor_challenge (id, purpose, webauthn_challenge, expires_at)
values (gen_random_uuid(), 'login_passkey', '\x01', now() + interval '5 minutes');
select is((private.check_otp(test.attempt('PHONE', '+12025550101', 'LOGIN', code))).error, null, 'a code works before') from before;

select private.void_codes();
select is((private.check_otp(test.attempt('PHONE', '+12025550101', 'LOGIN', code))).error, private.error('OTP_EXPIRED'), 'a code that was sent is void')
from before;
select is((test.otp('+12025550101', 'LOGIN')).delivery, 'sent', 'what became of its message stays');
select is((test.otp('+12025550102', 'LOGIN')).delivery, 'cancelled', 'a message that waited is cancelled');
select is(test.issue_code(id), null, 'and is not sent, even if a worker has its job already') from waiting;
select is((select count(*)::integer from test.queued_payloads()), 0, 'its job is gone, although a worker has locked it');
select is((select count(*)::integer from graphile_worker._private_jobs), 1, 'other jobs stay');
select is_empty($$select from private.factor_challenge$$, 'challenges are gone');
select is((select count(*)::integer from platform.otp_transaction where voided_at is not null), 2, 'both are marked');
update platform.otp_transaction set voided_at = '2026-01-01';
select private.void_codes();
select is((select array_agg(distinct voided_at) from platform.otp_transaction), array['2026-01-01'::timestamptz], 'a second call marks none again');

select * from finish();
rollback;
