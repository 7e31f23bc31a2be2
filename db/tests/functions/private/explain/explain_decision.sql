begin;
select plan(5);
select test.clean_slate();
create temp table otp on commit drop as select o.id from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now()) o;
create function pg_temp.events() returns setof platform.delivery_event language sql
as $$ select e.* from otp, private.explain_decision(otp.id) e $$;

select is_empty('select pg_temp.events()', 'without a decision nothing is shown');
insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
  select private.new_id(), now(), '+1202', 'US', '203.0.113.1', 'LOGIN', 'allowed', otp.id from otp;
select results_eq('select e.* from pg_temp.events() e',
  $$select now(), 'No fraud rule objected: the message was queued.', otp.id, 'requested by the client 203.0.113.1; country of the phone: US' from otp$$,
  'a decision is shown with its client and country');
update platform.send_decision set verdict = 'recorded', rule = 'FRAUD_COUNTRY';
select is((select e.what from pg_temp.events() e), 'The fraud rule FRAUD_COUNTRY objected; it only records, so the message was queued.',
  'a rule that only records is named');
update platform.send_decision set client = '', number_type = 'PAGER';
select is((select e.details from pg_temp.events() e), 'country of the phone: US; type of the number: PAGER', 'an address that was deleted is left out');
update platform.send_decision set otp_id = private.new_id();
select is_empty('select pg_temp.events()', 'the decision about another one-time password is not shown');

select * from finish();
rollback;
