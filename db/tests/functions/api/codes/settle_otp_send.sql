begin;
select plan(41);
select test.clean_slate();

-- Still queued at the deadline
create temp table queued on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
create temp table settled on commit drop as select a.* from queued q,
  test.call_as('latchkey_server', format('api.settle_otp_send(%L, true)', q.otp_id), null::api.otp_answer) a;
select is((select settled.*::text from settled), '("(OTP_SEND_FAILED,)",,,)',
  'a send that is still queued at the deadline has failed');
select is((test.otp('+12025550101', 'LOGIN')).delivery, 'cancelled', 'a send that is still queued at the deadline is cancelled');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0,
  'a send that is cancelled before the vendor is called is given back to the phone');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1'), 1,
  'a send that is cancelled before the vendor is called is not given back to the client');
select is((select test.issue_code(otp_id) from queued), null,
  'the worker issues no code for a cancelled send');
select is((select (api.settle_otp_send(otp_id, true)).error.code from queued), 'OTP_SEND_FAILED',
  'a second call of settle_otp_send returns the same failure');
select is(test.events('otp.%'), (select array[format('otp.send_failed {"otp_id": "%s", "outcome": "cancelled", "purpose": "LOGIN"}', otp_id)] from queued),
  'that it failed is an event, once');

-- The vendor is being called at the deadline
select test.clean_slate();
create temp table sending on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'PASSWORD_RESET', '192.0.2.1', test.code_key(), 'US');
create temp table late on commit drop as select m.* from sending s, test.issue_code(s.otp_id) m;
select is((select (api.settle_otp_send(otp_id, true)).error.code from sending), 'OTP_SEND_FAILED',
  'a send whose vendor has not responded at the deadline has failed');
select is((test.otp('+12025550101', 'PASSWORD_RESET')).delivery, 'cancelled',
  'a send whose vendor has not responded at the deadline is cancelled');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1,
  'a send whose vendor was called is not given back, because an SMS may have been sent');
select test.record_delivery(otp_id, 'sent') from sending;
select is((test.otp('+12025550101', 'PASSWORD_RESET')).delivery, 'cancelled',
  'a late response of the vendor leaves the send cancelled');
select is((select (private.check_otp(test.attempt('PHONE', '+12025550101', 'PASSWORD_RESET', body, '192.0.2.1'))).error.code from late),
  'INVALID_OTP', 'the code of a cancelled send gets INVALID_OTP');
select is((select (api.settle_otp_send(otp_id, true)).error.code from sending), 'OTP_SEND_FAILED',
  'after a late response of the vendor the send has still failed');

-- A recorded outcome decides
select test.clean_slate();
create temp table sent on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
select test.issue_code(otp_id), test.record_delivery(otp_id, 'sent') from sent;
select is((select api.settle_otp_send(otp_id, true)::text from sent), (select row(null, otp_id, expires_at, null)::text from sent),
  'a send recorded as sent before the deadline has succeeded');
select is((test.otp('+12025550101', 'LOGIN')).delivery, 'sent', 'a successful send is not cancelled');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'a successful send is not given back');

create temp table failed on commit drop as
  select outcome, a.* from (values ('refused', 'LOGIN'), ('unreachable', 'SIGNUP'), ('uncertain', 'PASSWORD_RESET')) o (outcome, purpose),
  api.send_otp('+12025550102', 'PHONE', purpose, '192.0.2.1', test.code_key(), 'US') a;
select test.issue_code(otp_id), test.record_delivery(otp_id, outcome) from failed;
select is((api.settle_otp_send(otp_id, true)).error.code, 'OTP_SEND_FAILED',
  'a delivery recorded as ' || outcome || ' has failed') from failed;
select is(o.delivery, case f.outcome when 'refused' then 'refused' else 'cancelled' end,
  'at the deadline a delivery whose first attempt was ' || f.outcome || ' is refused or cancelled')
from failed f join platform.otp_transaction o on o.id = f.otp_id;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550102'), 1,
  'of a refused, an unreachable and an uncertain delivery only the uncertain one counts for the phone');

create temp table stored on commit drop as
  select * from api.send_otp('someone@example.org', 'EMAIL', 'LOGIN', '192.0.2.1', test.code_key(), null);
select api.settle_otp_send(otp_id, true) from stored;
select is((test.otp('someone@example.org', 'LOGIN')).delivery, 'stored',
  'a one-time password for an email address is not cancelled');
select is((api.settle_otp_send(gen_random_uuid(), true)).error.code, 'OTP_SEND_FAILED',
  'an unknown one-time password has failed');

-- Notifications, which every login role can send
select test.clean_slate();
select test.set_setting('OTP_SEND_TIMEOUT_SECONDS', '10');
create temp table early on commit drop as
  select * from api.send_otp('+12025550103', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
select is((select api.settle_otp_send(otp_id, false)::text from early), (select row(null, otp_id, expires_at, 10)::text from early),
  'before the deadline a queued send is still waited for');
select test.age_otps('3.5 seconds');
select is((select (api.settle_otp_send(otp_id, false)).wait_seconds from early), 7.0,
  'wait_seconds is the time until the deadline, rounded up to whole seconds');
select test.issue_code(otp_id) from early;
select is((select (api.settle_otp_send(otp_id, false)).wait_seconds from early), 7.0,
  'before the deadline a send whose vendor is being called is still waited for');
select is((test.otp('+12025550103', 'LOGIN')).delivery, 'sending',
  'a notification before the deadline does not change the delivery');
select test.age_otps('6.5 seconds');
select is((select (api.settle_otp_send(otp_id, false)).error.code from early), 'OTP_SEND_FAILED',
  'a notification after the deadline returns the failure, although deadline_reached is false');
select is((test.otp('+12025550103', 'LOGIN')).delivery, 'cancelled', 'a notification after the deadline cancels the send');
create temp table notified on commit drop as
  select * from api.send_otp('+12025550103', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key(), 'US');
select test.issue_code(otp_id), test.record_delivery(otp_id, 'sent') from notified;
select is((select api.settle_otp_send(otp_id, false)::text from notified), (select row(null, otp_id, expires_at, null)::text from notified),
  'a notification returns a recorded success');
create temp table refused on commit drop as
  select * from api.send_otp('+12025550103', 'PHONE', 'PASSWORD_RESET', '192.0.2.1', test.code_key(), 'US');
select test.issue_code(otp_id), test.record_delivery(otp_id, 'refused') from refused;
select is((select (api.settle_otp_send(otp_id, false)).error.code from refused), 'OTP_SEND_FAILED',
  'a notification returns a recorded failure');
select is((api.settle_otp_send(gen_random_uuid(), false)).error.code, 'OTP_SEND_FAILED',
  'a notification for an unknown one-time password returns a failure');
create temp table nearly_late on commit drop as
  select * from api.send_otp('+12025550104', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
select test.age_otps('9 seconds');
select is((select (api.settle_otp_send(otp_id, false)).wait_seconds from nearly_late), 1.0,
  'in the last second before the deadline a send is still waited for');

-- Locks
insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at, answer_at)
select private.new_id(), '+12025550107', 'PHONE', 'LOGIN', true, d, now() + interval '5 minutes', now() + interval '1 hour'
from unnest(array['sent', 'queued', 'withheld']) d;
select api.settle_otp_send(o.id, false) from platform.otp_transaction o where o.identifier = '+12025550107';
select results_eq($$select o.delivery, o.xmax::text <> '0' from platform.otp_transaction o where o.identifier = '+12025550107' order by 1$$,
  $$values ('queued', true), ('sent', false), ('withheld', false)$$,
  'a send that may still end is locked; one that was sent or withheld is not, which would write WAL for nothing');

-- Withheld
select test.clean_slate();
select test.set_setting('REGISTRATION', '"invited"');
create temp table withheld on commit drop as select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
update platform.otp_transaction set answer_at = clock_timestamp() + interval '1 hour';
select ok((select (api.settle_otp_send(otp_id, false)).wait_seconds > 0 from withheld), 'a notification alone ends no wait of a withheld send');
select is((select current_since from platform.otp_transaction), null, 'it is not current yet');
select test.guess('PHONE', '+12025550101', 'LOGIN') from generate_series(1, 5);
update platform.otp_transaction set answer_at = clock_timestamp();
select is((select a::text from withheld w, api.settle_otp_send(w.otp_id, true) a), (select row(null, otp_id, expires_at, null)::text from withheld),
  'it is answered as one that was sent');
select ok((select current_since is not null and code_hash is null from platform.otp_transaction), 'it is current, as a delivered one, without a code');
select is((private.check_otp(test.attempt('PHONE', '+12025550101', 'LOGIN', '123456', '192.0.2.9'))).error.code, 'INVALID_OTP',
  'and earlier guesses are forgotten, as after a delivery');

select * from finish();
rollback;
