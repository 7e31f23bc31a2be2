begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
select test.forget_events();
create temp table reset on commit drop as select test.queue_otp('+12025550101', 'PHONE', 'PASSWORD_RESET', false, now()) as otp;
create temp table code on commit drop as select test.queue_otp('+12025550102', 'PHONE', 'SIGNUP', true, now()) as otp;

select private.record_outcome(otp, 'sent') from reset;
select private.record_outcome(otp, 'cancelled') from code;
select is((select array_agg(row(e.type, e.data ->> 'purpose', e.data ->> 'outcome')::text order by e.at, e.id) from platform.event e),
  array['(otp.sent,PASSWORD_RESET,)', '(otp.send_failed,SIGNUP,cancelled)'], 'a message was sent, or failed for a reason');
select is((select (e.data ->> 'otp_id')::uuid from platform.event e where e.type = 'otp.sent'), (select (otp).id from reset), 'it names its one-time password');
select is((select array_agg(e.user_id order by e.at, e.id) from platform.event e), (select array[alice, null] from actor), 'and the account of the phone, if it has one');

select * from finish();
rollback;
