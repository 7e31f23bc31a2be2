begin;
select plan(6);
create function pg_temp.decide(modes jsonb, facts jsonb) returns text language sql as $$
  select d::text from (select jsonb_object_agg(key, test.rule(key, jsonb_build_object('mode', coalesce(modes ->> key, 'off')))) as rules
    from private.setting_definition where kind = 'fraud rule') r, fraud.decide(r.rules, test.facts(facts)) d $$;
select is(pg_temp.decide(modes::jsonb, facts::jsonb), decision, what)
from (values
  ('{"FRAUD_COUNTRY": "enforce"}', '{}', '(allowed,)', 'a send that no rule objects to is allowed'),
  ('{"FRAUD_BUDGET": "enforce"}', '{"country_unverified": 50}', '(allowed,)', 'a rule that is off does not object'),
  ('{"FRAUD_COUNTRY": "record", "FRAUD_CLIENT": "record"}', '{"country_unverified": 50, "client_unverified": 20}',
    '(recorded,FRAUD_COUNTRY)', 'the first rule that would have refused is recorded'),
  ('{"FRAUD_COUNTRY": "record", "FRAUD_CLIENT": "enforce"}', '{"country_unverified": 50, "client_unverified": 20}',
    '(refused,FRAUD_CLIENT)', 'a rule that refuses precedes one that only would have'),
  ('{"FRAUD_COUNTRY": "enforce", "FRAUD_CLIENT": "enforce"}', '{"country_unverified": 50, "client_unverified": 20}',
    '(refused,FRAUD_COUNTRY)', 'the first of two rules that refuse is named'),
  ('{"FRAUD_COUNTRY": "enforce"}', '{"country_unverified": null}', '(allowed,)', 'a rule whose facts are missing does not refuse')
) c (modes, facts, decision, what);

select * from finish();
rollback;
