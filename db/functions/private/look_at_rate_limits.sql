create or replace function private.look_at_rate_limits(rules private.rate_limit_rule[])
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule private.rate_limit_rule;
  v_wait interval;
  v_verdict private.rate_limit_verdict;
begin
  foreach v_rule in array rules loop
    -- A window is full until the entry of the hit that is "requests" hits back leaves it. With fewer hits or no rule: null, room.
    select l.hits[width_bucket(l.totals[cardinality(l.totals)] - v_rule.requests, l.totals)] + v_rule.period - clock_timestamp()
    into v_wait
    from platform.rate_limit l
    where l.key = v_rule.key and l.totals[cardinality(l.totals)] - l.totals[1] >= v_rule.requests;
    if v_wait > greatest(v_verdict.wait, interval '0') then
      v_verdict := row(v_rule.policy, v_rule.requests, v_rule.period, v_wait, null)::private.rate_limit_verdict;
    end if;
  end loop;
  return v_verdict;
end
$$;

comment on function private.look_at_rate_limits(private.rate_limit_rule[]) is
$$Whether every rule has room, without a lock or a write, so that a refused request costs a read.
rules: null elements (limits that are off) are skipped. Result: the rule with the longest wait, or wait null where all have room.$$;
