begin;
select plan(6);
create function pg_temp.rule(policy text, requests integer) returns private.rate_limit_rule language sql
as $$ select row(policy, policy || ':x', requests, interval '1 hour')::private.rate_limit_rule $$;
create function pg_temp.hit(age interval) returns platform.rate_limit language sql
as $$ select row('a key', array[clock_timestamp() - age], '{0,1}', null)::platform.rate_limit $$;
create function pg_temp.judge(windows platform.rate_limit[], variadic rules private.rate_limit_rule[]) returns text language sql
as $$ select concat_ws(' ', v.policy, v.requests, v.period, ceil(extract(epoch from v.wait) / 60), v.taken_at) from private.longest_wait(windows, rules) v $$;

select is(pg_temp.judge(array[pg_temp.hit('1 minute')], pg_temp.rule('A', 2)), '', 'a window with room has no wait');
select is(pg_temp.judge(array[pg_temp.hit('1 minute')], pg_temp.rule('A', 1)), 'A 1 01:00:00 59', 'a full window names its rule and its wait');
select is(pg_temp.judge(array[pg_temp.hit('1 hour')], pg_temp.rule('A', 1)), '', 'a hit that has left the window does not count');
select is(
  pg_temp.judge(
    array[pg_temp.hit('9 minutes'), pg_temp.hit('1 minute'), pg_temp.hit('8 minutes')], pg_temp.rule('A', 1), pg_temp.rule('B', 1), pg_temp.rule('C', 1)
  ),
  'B 1 01:00:00 59', 'of several full ones the longest wait is named');
select is(pg_temp.judge(array[null, pg_temp.hit('1 minute'), null]::platform.rate_limit[], null, pg_temp.rule('B', 1), pg_temp.rule('C', 1)),
  'B 1 01:00:00 59', 'a rule that is null has room, and one without a window');
select is((private.longest_wait(null, '{}')).wait, null, 'without rules there is no wait');

select * from finish();
rollback;
