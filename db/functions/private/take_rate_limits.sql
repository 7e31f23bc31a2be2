create or replace function private.take_rate_limits(rules private.rate_limit_rule[])
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule private.rate_limit_rule;
  -- In the order of their keys, not in the caller's, so that two requests with the same keys cannot deadlock.
  v_rules private.rate_limit_rule[] := array(select r from unnest(array_remove(rules, null)) r order by r.key collate "C");
  v_windows platform.rate_limit[];
  v_window platform.rate_limit;
  v_wait interval;
  v_verdict private.rate_limit_verdict := private.look_at_rate_limits(v_rules);
begin
  if cardinality(v_rules) = 0 or v_verdict.wait is not null then
    return v_verdict;
  end if;

  foreach v_rule in array v_rules loop
    v_window := private.lock_rate_limit(v_rule.key);
    v_windows := v_windows || v_window;
    v_wait := private.rate_limit_wait(v_window, v_rule);
    if v_wait > greatest(v_verdict.wait, interval '0') then
      v_verdict := row(v_rule.policy, v_rule.requests, v_rule.period, v_wait, null)::private.rate_limit_verdict;
    end if;
  end loop;
  if v_verdict.wait is not null then
    return v_verdict;
  end if;

  -- Stamped after the locks: an earlier stamp would leave the window too early, by the time that the locks took.
  v_verdict.taken_at := clock_timestamp();
  -- A statement for each: joined to the array, the whole table is read as long as it has no statistics.
  for v_position in 1 .. cardinality(v_rules) loop
    v_window := private.count_hit(v_windows[v_position], v_rules[v_position], v_verdict.taken_at);
    update platform.rate_limit l set hits = v_window.hits, totals = v_window.totals where l.key = v_window.key;
  end loop;
  return v_verdict;
end
$$;

comment on function private.take_rate_limits(private.rate_limit_rule[]) is
$$Counts one request against every rule or, where one has no room, against none. Windows slide: at no moment does the last period hold
more than the rule's requests, over any number of connections.
rules: null elements are skipped. Call it once per transaction or, as a batch of calls does, in the order of the keys: otherwise two
transactions may deadlock.
Result: wait null and taken_at when counted (taken_at null too where every limit is off); policy and wait when refused.$$;
