begin;
select plan(5);
select test.clean_slate();
select test.insert_hits('A:x', now()), test.insert_hits('A:y', now()), test.queue_otp('+12025550101', 'PHONE', 'LOGIN', false, now());
insert into "user".invitation (phone, valid_until) values ('+12025550104', now() + interval '1 day');
select test.forget_events(), test.become('latchkey_admin');

delete from platform.rate_limit where key = 'A:z';
delete from platform.rate_limit;
delete from platform.otp_transaction;
delete from "user".invitation;
reset role;
select is(test.events(), array[
  'admin.acted {"rows": 2, "table": "platform.rate_limit", "action": "delete"}',
  'admin.acted {"rows": 1, "table": "platform.otp_transaction", "action": "delete"}',
  'admin.acted {"rows": 1, "table": "user.invitation", "action": "delete"}'
], 'what the admin deletes is an event for each statement');
select is((select array_agg(distinct e.actor) from platform.event e), array['admin'], 'of the admin');
select test.forget_events(), test.insert_hits('A:x', now());
set local role latchkey_owner;
delete from platform.rate_limit;
reset role;
select is(test.events(), '{}', 'our own functions delete what they counted');
select platform.clear_limits('+12025550101');
select is(test.events(), array['admin.acted {"rows": 0, "action": "clear_limits"}'], 'clear_limits is an action too');
select test.forget_events(), platform.send_test_message('+12025550101');
select is((test.events())[1] like 'admin.acted {"action": "send_test_message", "otp_id": %', true, 'and so is send_test_message');

select * from finish();
rollback;
