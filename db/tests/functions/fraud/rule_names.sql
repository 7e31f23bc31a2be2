begin;
select plan(1);
select set_eq('select unnest(fraud.rule_names())', $$select key from private.setting_definition where kind = 'fraud rule'$$,
  'every setting of kind "fraud rule" is a rule, and every rule has one');

select * from finish();
rollback;
