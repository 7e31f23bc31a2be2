create or replace function private.take_rate_limits(rules private.rate_limit_rule[])
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule private.rate_limit_rule;
  v_rules private.rate_limit_rule[] := array_remove(rules, null);
  v_verdict private.rate_limit_verdict;
begin
  if cardinality(v_rules) = 0 then
    return v_verdict;
  end if;
  v_verdict := private.look_at_rate_limits(v_rules);
  if v_verdict.wait is not null then
    return v_verdict;
  end if;

  -- Locked in the order of their keys, not in the caller's, so that two requests with the same keys cannot deadlock.
  for v_rule in select r.* from unnest(v_rules) r order by r.key collate "C" loop
    loop
      perform from platform.rate_limit l where l.key = v_rule.key for update;
      exit when found;
      -- A loop, because the clean-up may delete the row between the two statements.
      insert into platform.rate_limit (key) values (v_rule.key) on conflict do nothing;
    end loop;
  end loop;

  v_verdict := private.look_at_rate_limits(v_rules);
  if v_verdict.wait is not null then
    return v_verdict;
  end if;

  -- Stamped after the locks: an earlier stamp would leave the window too early, by the time that the locks took.
  v_verdict.taken_at := clock_timestamp();
  -- A statement for each: joined to the array, the whole table is read as long as it has no statistics.
  foreach v_rule in array v_rules loop
    update platform.rate_limit l
    set (hits, totals) = (select c.hits, c.totals from private.count_hit(l, v_rule, v_verdict.taken_at) c)
    where l.key = v_rule.key;
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
