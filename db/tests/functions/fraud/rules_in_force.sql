begin;
select plan(3);
select test.clean_slate();
select is(fraud.rules_in_force(), (select jsonb_object_agg(key, default_value) from private.setting_definition where kind = 'fraud rule'),
  'a rule without a row has its default');
select test.set_setting('FRAUD_BUDGET', test.rule('FRAUD_BUDGET', '{"perHour": 7}'));
select is(fraud.rules_in_force() #>> '{FRAUD_BUDGET,perHour}', '7', 'a stored value is in force');
select is((select array_agg(value ->> 'mode') from jsonb_each(fraud.rules_in_force()) where value ->> 'mode' not in ('off', 'record')), null,
  'by default no rule refuses');

select * from finish();
rollback;
