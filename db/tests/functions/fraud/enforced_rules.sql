begin;
select plan(1);
select is(fraud.enforced_rules('{"A": {"mode": "enforce", "x": 1}, "B": {"mode": "record", "x": 1}, "C": {"mode": "off"}}'),
  '{"A": {"mode": "enforce", "x": 1}, "B": {"mode": "off"}, "C": {"mode": "off"}}', 'rules that refuse nothing are off');

select * from finish();
rollback;
