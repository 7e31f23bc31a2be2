begin;
select plan(2);
select test.clean_slate();
insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, rule, number_type)
  values ('01a22000-0000-7000-8000-000000000001', now(), '+1202', 'US', '203.0.113.1', 'LOGIN', 'refused', 'FRAUD_COUNTRY', 'PAGER');
create function pg_temp.event() returns platform.delivery_event language sql as $$ select private.explain_refused_send(d) from platform.send_decision d $$;

select is(pg_temp.event(), row(
  now(), 'The fraud rule FRAUD_COUNTRY refused to send a code for LOGIN.', null::uuid,
  'requested by the client 203.0.113.1; country of the phone: US; type of the number: PAGER; decision 01a22000-0000-7000-8000-000000000001, see docs/fraud.md'
)::platform.delivery_event, 'a rule that refused is named, with what it decided about');
update platform.send_decision set client = '', number_type = null;
select is((pg_temp.event()).details, 'country of the phone: US; decision 01a22000-0000-7000-8000-000000000001, see docs/fraud.md', 'an address that was deleted is left out');

select * from finish();
rollback;
