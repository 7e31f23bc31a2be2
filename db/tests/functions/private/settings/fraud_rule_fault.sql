begin;
select plan(17);
create function pg_temp.fault(key text, changes jsonb) returns text language sql as
$$ select private.fraud_rule_fault(test.rule(key, changes), test.rule(key, '{}')) $$;
select is(pg_temp.fault(key, changes::jsonb), null, key || ' may be ' || changes)
from (values ('FRAUD_COUNTRY', '{}'), ('FRAUD_COUNTRY', '{"mode": "enforce", "minimum": 1, "factor": 0}'), ('FRAUD_COOL_DOWN', '{"seconds": 86400}'), ('FRAUD_NUMBER_TYPES', '{"types": ["PAGER"]}'),
  ('FRAUD_CALLING_CODES', '{"allowed": ["+1"], "blocked": ["+1876"], "exempt": ["192.0.2.1", "2001:db8::/64", "+44"]}')) c (key, changes);
select is(private.fraud_rule_fault(value::jsonb, '{"mode": "off", "exempt": []}'), 'must be an object with the members of {"mode": "off", "exempt": []}',
  'not an object with the members of the default: ' || coalesce(value, 'null'))
from (values (null), ('"off"'), ('{"mode": "off"}'), ('{"mode": "off", "exempt": [], "minimun": 1}')) c (value);
select is(pg_temp.fault(key, changes::jsonb), sentence, key || ' may not be ' || changes)
from (values
  ('FRAUD_COUNTRY', '{"mode": "on"}', 'mode must be off, record or enforce'),
  ('FRAUD_COUNTRY', '{"minimum": 0}', 'minimum must be a whole number from 1 to 1000000, not 0'),
  ('FRAUD_COUNTRY', '{"factor": 1001}', 'factor must be a whole number from 0 to 1000, not 1001'),
  ('FRAUD_BUDGET', '{"perHour": 0}', 'perHour must be a whole number from 1 to 100000000, not 0'),
  ('FRAUD_BUDGET', '{"perDay": 100000001}', 'perDay must be a whole number from 1 to 100000000, not 100000001'),
  ('FRAUD_NUMBER_TYPES', '{"types": ["SMS"]}', 'types ' || private.number_types_fault('["SMS"]')),
  ('FRAUD_COOL_DOWN', '{"seconds": "30"}', 'seconds must be a whole number from 1 to 86400, not "30"'),
  ('FRAUD_CALLING_CODES', '{"blocked": ["192.0.2.1"]}',
    'blocked must be a list of calling codes of 1 to 8 digits, such as "+44": 1000 entries at most')
) c (key, changes, sentence);

select * from finish();
rollback;
