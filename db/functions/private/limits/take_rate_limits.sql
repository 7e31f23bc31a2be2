create or replace function private.take_rate_limits(rules private.rate_limit_rule[])
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_windows platform.rate_limit[];
  v_verdict private.rate_limit_verdict := private.look_at_rate_limits(take_rate_limits.rules);
begin
  if v_verdict.wait is null then
    v_windows := private.lock_rate_limits(take_rate_limits.rules);
    v_verdict := private.longest_wait(v_windows, take_rate_limits.rules);
  end if;
  if v_verdict.wait is null then
    v_verdict.taken_at := private.count_hits(v_windows, take_rate_limits.rules);
  end if;
  return v_verdict;
end
$$;

comment on function private.take_rate_limits(private.rate_limit_rule[]) is
$$Counts one request against every rule or, where one has no room, against none. Windows slide: at no moment does the last period hold
more than the rule's requests, over any number of connections.
rules: null elements are skipped; locked as by private.lock_rate_limits.
Result: wait null and taken_at when counted (taken_at null too where every limit is off); policy and wait when refused.$$;
