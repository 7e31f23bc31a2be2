begin;
select plan(5);
select test.clean_slate();
create temp table decision on commit drop as
  select jsonb_populate_record(null::platform.send_decision, to_jsonb(test.facts()) || jsonb_build_object('id', private.new_id(), 'verdict', 'recorded',
    'rule', 'FRAUD_COUNTRY')) as d;
select private.record_send(d, '00000000-0000-7000-8000-000000000001') from decision;
select is((select to_jsonb(s) - 'otp_id' from platform.send_decision s), (select to_jsonb(d) - 'otp_id' from decision),
  'the decision is stored with its facts');
select is((select otp_id from platform.send_decision), '00000000-0000-7000-8000-000000000001', 'it has the id of the one-time password');
select is(test.count('all', 'hour', '2026-03-04T10:00:00Z'), '1 0', 'its send is counted');
update decision set d.verdict = 'refused', d.id = private.new_id();
select private.record_send(d, null) from decision;
select is((select count(*)::integer from platform.send_decision), 2, 'a refused decision is stored');
select is(test.count('all', 'hour', '2026-03-04T10:00:00Z'), '1 0', 'a refused send is not counted');

select * from finish();
rollback;
