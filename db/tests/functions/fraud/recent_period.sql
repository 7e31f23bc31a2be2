begin;
select plan(1);
select is(fraud.recent_period(), interval '24 hours', 'the rules count 24 hours');

select * from finish();
rollback;
