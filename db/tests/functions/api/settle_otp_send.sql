begin;
select plan(34);
do $$ begin perform test.clean_slate(); end $$;

-- Still queued
create temp table queued on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key());
create temp table settled on commit drop as select a.* from queued q,
  test.call_as('latchkey_server', format('api.settle_otp_send(%L, true)', q.otp_id), null::api.otp_answer) a;
select is((select settled.*::text from settled), '("(OTP_SEND_FAILED,)",,,)', 'a send whose fate is open at the deadline has failed');
select is((test.otp('+12025550101', 'LOGIN')).delivery, 'cancelled', 'its one-time password is cancelled');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'the vendor was never called: the send is given back to the phone');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1'), 1, 'never to the client');
select is((select delivery.issue_otp_code(otp_id, test.code_key()) from queued), null, 'the worker sends nothing for it any more');
select is((select (api.settle_otp_send(otp_id, true)).error.code from queued), 'OTP_SEND_FAILED', 'asked again it has failed again');

-- The vendor is being called
do $$ begin perform test.clean_slate(); end $$;
create temp table sending on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'PASSWORD_RESET', '192.0.2.1', test.code_key());
create temp table late on commit drop as select m.* from sending s, delivery.issue_otp_code(s.otp_id, test.code_key()) m;
select is((select (api.settle_otp_send(otp_id, true)).error.code from sending), 'OTP_SEND_FAILED', 'a vendor that answers too late has failed');
select is((test.otp('+12025550101', 'PASSWORD_RESET')).delivery, 'cancelled', 'its one-time password is cancelled too');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'something may have been sent: nothing is given back');
do $$ begin perform delivery.record_delivery(otp_id, 'sent') from sending; end $$;
select is((test.otp('+12025550101', 'PASSWORD_RESET')).delivery, 'cancelled', 'a late answer of the vendor changes nothing');
select is((select (private.check_otp('PHONE', '+12025550101', 'PASSWORD_RESET', body, test.code_key(), '192.0.2.1')).error.code from late),
  'INVALID_OTP', 'the code of a late SMS is worthless');
select is((select (api.settle_otp_send(otp_id, true)).error.code from sending), 'OTP_SEND_FAILED', 'and the send stays failed');

-- The recorded fate wins
do $$ begin perform test.clean_slate(); end $$;
create temp table sent on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key());
do $$ begin perform delivery.issue_otp_code(otp_id, test.code_key()), delivery.record_delivery(otp_id, 'sent') from sent; end $$;
select is((select api.settle_otp_send(otp_id, true)::text from sent), (select row(null, otp_id, expires_at, null)::text from sent),
  'a send recorded a moment before the deadline has succeeded');
select is((test.otp('+12025550101', 'LOGIN')).delivery, 'sent', 'and is not cancelled');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'nor given back');

create temp table failed on commit drop as
  select outcome, a.* from (values ('refused', 'LOGIN'), ('unreachable', 'SIGNUP'), ('uncertain', 'PASSWORD_RESET')) o (outcome, purpose),
  api.send_otp('+12025550102', 'PHONE', purpose, '192.0.2.1', test.code_key()) a;
do $$ begin perform delivery.issue_otp_code(otp_id, test.code_key()), delivery.record_delivery(otp_id, outcome) from failed; end $$;
select is((api.settle_otp_send(otp_id, true)).error.code, 'OTP_SEND_FAILED', 'a delivery recorded as ' || outcome || ' has failed') from failed;
select is(o.delivery, f.outcome, 'and stays recorded as ' || f.outcome) from failed f join platform.otp_transaction o on o.id = f.otp_id;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550102'), 1,
  'of these, only the one that may have been sent counts for the phone, and nothing is given back twice');

create temp table stored on commit drop as
  select * from api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key());
do $$ begin perform api.settle_otp_send(otp_id, true) from stored; end $$;
select is((test.otp('someone@example.org', 'LOGIN')).delivery, 'stored', 'a code that nobody sends is not cancelled');
select is((api.settle_otp_send(gen_random_uuid(), true)).error.code, 'OTP_SEND_FAILED', 'a one-time password that is not there has failed');

-- A notification before the deadline, which any login role can forge
do $$ begin perform test.clean_slate(); perform test.set_setting('OTP_SEND_TIMEOUT_SECONDS', '10'); end $$;
create temp table early on commit drop as
  select * from api.send_otp('+12025550103', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key());
select is((select api.settle_otp_send(otp_id, false)::text from early), (select row(null, otp_id, expires_at, 10)::text from early),
  'a send that is queued goes on being waited for');
do $$ begin perform test.age_otps('3.5 seconds'); end $$;
select is((select (api.settle_otp_send(otp_id, false)).wait_seconds from early), 7, 'as long as its deadline is away, in whole seconds');
do $$ begin perform delivery.issue_otp_code(otp_id, test.code_key()) from early; end $$;
select is((select (api.settle_otp_send(otp_id, false)).wait_seconds from early), 7, 'so does one whose vendor is being called');
select is((test.otp('+12025550103', 'LOGIN')).delivery, 'sending', 'and nothing of it changes');
do $$ begin perform test.age_otps('6.5 seconds'); end $$;
select is((select (api.settle_otp_send(otp_id, false)).error.code from early), 'OTP_SEND_FAILED',
  'notifications without end do not move the deadline');
select is((test.otp('+12025550103', 'LOGIN')).delivery, 'cancelled', 'at which it is cancelled');
create temp table notified on commit drop as
  select * from api.send_otp('+12025550103', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key());
do $$ begin perform delivery.issue_otp_code(otp_id, test.code_key()), delivery.record_delivery(otp_id, 'sent') from notified; end $$;
select is((select api.settle_otp_send(otp_id, false)::text from notified), (select row(null, otp_id, expires_at, null)::text from notified),
  'a recorded success is told at once');
create temp table refused on commit drop as
  select * from api.send_otp('+12025550103', 'PHONE', 'PASSWORD_RESET', '192.0.2.1', test.code_key());
do $$ begin perform delivery.issue_otp_code(otp_id, test.code_key()), delivery.record_delivery(otp_id, 'refused') from refused; end $$;
select is((select (api.settle_otp_send(otp_id, false)).error.code from refused), 'OTP_SEND_FAILED', 'so is a recorded failure');
select is((api.settle_otp_send(gen_random_uuid(), false)).error.code, 'OTP_SEND_FAILED', 'and that there is no such one-time password');
create temp table nearly_late on commit drop as
  select * from api.send_otp('+12025550104', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key());
do $$ begin perform test.age_otps('9 seconds'); end $$;
select is((select (api.settle_otp_send(otp_id, false)).wait_seconds from nearly_late), 1, 'the last second before the deadline is waited for');

select * from finish();
rollback;
