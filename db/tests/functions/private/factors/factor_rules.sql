begin;
select plan(1);
select test.clean_slate();
select is((r.rule).key || ' ' || (r.rule).requests, 'FACTOR_FAILURES_PER_USER:00000000-0000-0000-0000-000000000001 10', 'wrong answers are counted by account')
from (select (private.factor_rules('00000000-0000-0000-0000-000000000001'))[1]) r (rule);

select * from finish();
rollback;
