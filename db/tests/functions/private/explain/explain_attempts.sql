begin;
select plan(11);
select test.clean_slate();
create temp table attempt on commit drop as
  select o.id as otp_id, (private.start_attempt(o, 'twilio')).id from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now()) o;
create function pg_temp.events() returns setof platform.delivery_event language sql
as $$ select e.* from attempt a, private.explain_attempts(a.otp_id) e order by e.at $$;

select results_eq($$select e.at, e.what, e.otp_id, e.details from pg_temp.events() e$$,
  $$select d.started_at, 'twilio was given the message (sms) and has not answered yet.', d.otp_id, 'our id: ' || d.id
    from platform.delivery_attempt d$$,
  'an attempt in progress is shown at its start');
update platform.delivery_attempt set outcome = 'refused', vendor_error = 'HTTP 400, code 21211', duration_ms = 812;
select is((select e.what || ' ' || e.details from pg_temp.events() e),
  'twilio refused to send this message to this recipient (sms). vendor''s error: HTTP 400, code 21211; our id: '
    || (select id from attempt) || '; took 812 ms',
  'a refused attempt is shown with the vendor''s error and its duration');
update platform.delivery_attempt set outcome = 'declined';
select matches((select what from pg_temp.events()), '^twilio declined to send \(sms\)', 'a declined attempt is shown');
update platform.delivery_attempt set outcome = 'unreachable';
select matches((select what from pg_temp.events()), 'could not be reached \(sms\): the message was not sent', 'an unreachable vendor is shown');
update platform.delivery_attempt set outcome = 'uncertain';
select matches((select what from pg_temp.events()), 'no clear answer \(sms\): the message was perhaps sent', 'an uncertain attempt is shown');
update platform.delivery_attempt set outcome = 'sent', vendor_error = null, vendor_message_id = 'SM1', price = 0.07, currency = 'USD';
select is((select e.what || ' ' || e.details from pg_temp.events() e),
  'twilio accepted the message (sms). vendor''s message id: SM1; our id: ' || (select id from attempt) || '; took 812 ms; price: 0.07 USD',
  'an accepted message is shown with the vendor''s id and price');

update platform.delivery_attempt set receipt = 'undelivered', receipt_error = '30003', receipt_at = started_at + interval '1 minute';
select results_eq($$select e.at - a.started_at, e.what, e.details from pg_temp.events() e, platform.delivery_attempt a offset 1$$,
  $$values (interval '1 minute', 'twilio reports that the message was not delivered (sms).', 'vendor''s error: 30003; vendor''s message id: SM1')$$,
  'a receipt of an undelivered message is shown when it came, with the vendor''s error');
update platform.delivery_attempt set receipt = 'delivered', receipt_error = null;
select is((select e.what from pg_temp.events() e offset 1), 'twilio reports that the message was delivered (sms).',
  'a receipt of a delivered message is shown');
update platform.delivery_attempt set vendor_message_id = null;
select is((select e.details from pg_temp.events() e offset 1), null, 'which has no details where the vendor gave none');
select is_empty($$select from private.explain_attempts(private.new_id())$$, 'without an attempt nothing is shown');

update platform.delivery_attempt set route = '+1202';
select matches((select e.details from pg_temp.events() e limit 1), '^route: \+1202; ', 'the route is named');
select * from finish();
rollback;
