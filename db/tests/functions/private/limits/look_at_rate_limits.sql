begin;
select plan(9);
select test.clean_slate();
select test.insert_hits('A:x', clock_timestamp() - interval '59 minutes', clock_timestamp());
select test.insert_hits('B:x', clock_timestamp() - interval '59 minutes', clock_timestamp());
create function pg_temp.look(variadic rules private.rate_limit_rule[]) returns setof private.rate_limit_verdict language sql
as $$ select * from private.look_at_rate_limits(rules) $$;
create function pg_temp.rule(policy text, requests integer, seconds integer) returns private.rate_limit_rule language sql
as $$ select row(policy, policy || ':x', requests, make_interval(secs => seconds))::private.rate_limit_rule $$;

create temp table before on commit drop as select * from platform.rate_limit;
select is((select v.*::text from pg_temp.look(pg_temp.rule('A', 3, 3600), pg_temp.rule('Z', 1, 3600)) v), '(,,,,,)',
  'rules with room and rules without a row refuse nothing');
select is((select row(policy, requests, period)::text from pg_temp.look(pg_temp.rule('A', 2, 3600))), '(A,2,01:00:00)',
  'a rule without room is returned');
select ok((select wait > interval '0' and wait <= interval '1 minute' from pg_temp.look(pg_temp.rule('A', 2, 3600))),
  'the wait is the time until the oldest hit that counts leaves the window');
select ok((select wait > interval '59 minutes' and wait <= interval '1 hour' from pg_temp.look(pg_temp.rule('A', 1, 3600))),
  'under a lower limit the wait is that of a younger hit');
select is((select policy from pg_temp.look(pg_temp.rule('A', 2, 3600), pg_temp.rule('B', 1, 3600), pg_temp.rule('A', 2, 3600))), 'B',
  'of several rules without room the one with the longest wait is returned');
select is((select policy from pg_temp.look(null, pg_temp.rule('A', 2, 3600), null)), 'A', 'rules that are null are skipped');
select is((select policy from private.look_at_rate_limits('{}')), null, 'an empty array of rules refuses nothing');
select results_eq('select * from platform.rate_limit order by key', 'select * from before order by key',
  'looking at rate limits counts nothing');
select test.age_rate_limits('1 minute');
select is((select policy from pg_temp.look(pg_temp.rule('A', 2, 3600))), null, 'a hit as old as the period does not count');

select * from finish();
rollback;
