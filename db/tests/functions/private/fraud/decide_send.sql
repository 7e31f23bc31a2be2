begin;
select plan(5);
select test.clean_slate();
select test.set_setting('FRAUD_CALLING_CODES', test.rule('FRAUD_CALLING_CODES', '{"mode": "enforce", "blocked": ["+44"]}'));
create temp table decided on commit drop as
  select (private.decide_send(test.send_request(phone, country => country, counted_at => '2026-03-04T10:20:30Z'))).*
  from (values ('+12025550101', 'US'), ('+447700900123', 'GB')) p (phone, country);
select is((select jsonb_strip_nulls(to_jsonb(d)) - array['id', 'at'] from decided d where country = 'US'),
  '{"prefix": "+12025", "country": "US", "client": "192.0.2.1", "purpose": "LOGIN", "verdict": "allowed", "country_unverified": 0,
    "country_verified": 0, "client_unverified": 0, "client_verified": 0, "known": false}',
  'a decision has its facts, and those that no rule needed are null');
select is((select verdict || ' ' || rule from decided where country = 'GB'), 'refused FRAUD_CALLING_CODES', 'a decision names the rule in force');
select is((select count(distinct id)::integer from decided where at = '2026-03-04T10:20:30Z'), 2, 'it has an id and the moment of the limits');
select test.set_setting('FRAUD_CALLING_CODES', test.rule('FRAUD_CALLING_CODES', '{"mode": "enforce", "blocked": ["+4477009"]}'));
select is(d.verdict || ' ' || d.prefix, 'refused +447700', 'a code is compared with more digits than are stored')
from private.decide_send(test.send_request('+447700900123', country => 'GB', counted_at => '2026-03-04T10:20:30Z')) d;
select is_empty('select from platform.send_decision', 'it is not stored yet');

select * from finish();
rollback;
