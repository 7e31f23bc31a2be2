begin;
select plan(6);
create function pg_temp.wait(hits_ago interval[], totals bigint[], requests integer) returns interval language sql
as $$
  select private.rate_limit_wait(
    row('A:x', array(select clock_timestamp() - a from unnest(hits_ago) with ordinality h (a, n) order by n), totals, null)::platform.rate_limit,
    row('A', 'A:x', requests, interval '1 hour')::private.rate_limit_rule
  )
$$;

select is(pg_temp.wait('{30 minutes}', '{0,1}', 2), null, 'a window with fewer hits than requests has room');
select is(pg_temp.wait('{}', '{0}', 1), null, 'a window without hits has room');
select ok(pg_temp.wait('{50 minutes,20 minutes}', '{0,1,2}', 2) between interval '9 minutes' and interval '10 minutes',
  'a full window has room when the hit that is as many hits back as the rule has requests leaves it');
select ok(pg_temp.wait('{70 minutes,20 minutes}', '{0,1,2}', 2) < interval '0', 'the wait is over once that hit has left the window');
select ok(pg_temp.wait('{50 minutes,20 minutes}', '{0,3,5}', 3) between interval '9 minutes' and interval '10 minutes',
  'an entry may stand for several hits');
select is(private.rate_limit_wait(null, row('A', 'A:x', 1, '1 minute')::private.rate_limit_rule), null, 'a key without a row has room');

select * from finish();
rollback;
