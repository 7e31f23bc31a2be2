create or replace function private.count_hits(windows platform.rate_limit[], rules private.rate_limit_rule[])
returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_window platform.rate_limit;
  v_at timestamptz;
begin
  -- A statement for each: joined to the array, the whole table is read as long as it has no statistics.
  for v_position in 1 .. cardinality(count_hits.rules) loop
    continue when (count_hits.rules[v_position]).policy is null;
    v_at := coalesce(v_at, clock_timestamp());
    v_window := private.count_hit(count_hits.windows[v_position], count_hits.rules[v_position], v_at);
    update platform.rate_limit l set hits = v_window.hits, totals = v_window.totals where l.key = v_window.key;
  end loop;
  return v_at;
end
$$;

comment on function private.count_hits(platform.rate_limit[], private.rate_limit_rule[]) is
$$Counts one request against every rule. windows: of private.lock_rate_limits, so that the request is stamped after the locks: an earlier
stamp would leave the window too early, by the time that the locks took. Result: the stamp; null where every rule is null.$$;
