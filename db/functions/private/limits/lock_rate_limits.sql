create or replace function private.lock_rate_limits(rules private.rate_limit_rule[])
returns platform.rate_limit[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position bigint;
  v_windows platform.rate_limit[];
begin
  -- In the order of their keys, not in the caller's, so that two requests with the same keys cannot deadlock.
  foreach v_position in array array(
    select r.position from unnest(lock_rate_limits.rules) with ordinality r (policy, key, requests, period, position)
    -- Tests the rule and not its key: a rule without a key must raise instead of allowing everything.
    where r.policy is not null
    order by r.key collate "C"
  ) loop
    v_windows[v_position] := private.lock_rate_limit((lock_rate_limits.rules[v_position]).key);
  end loop;
  return v_windows;
end
$$;

comment on function private.lock_rate_limits(private.rate_limit_rule[]) is
$$The window of each rule at the rule's position, locked as by private.lock_rate_limit. Call it once per transaction: otherwise two
transactions may deadlock. A batch calls it many times and so has a lock_timeout far below deadlock_timeout. rules: null elements are
skipped.$$;
