create or replace function private.longest_wait(windows platform.rate_limit[], rules private.rate_limit_rule[])
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule private.rate_limit_rule;
  v_wait interval;
  v_verdict private.rate_limit_verdict;
begin
  for v_position in 1 .. cardinality(longest_wait.rules) loop
    v_rule := longest_wait.rules[v_position];
    v_wait := private.rate_limit_wait(longest_wait.windows[v_position], v_rule);
    if v_wait > greatest(v_verdict.wait, interval '0') then
      v_verdict := row(v_rule.policy, v_rule.requests, v_rule.period, v_wait, null, v_rule.key)::private.rate_limit_verdict;
    end if;
  end loop;
  return v_verdict;
end
$$;

comment on function private.longest_wait(platform.rate_limit[], private.rate_limit_rule[]) is
$$The rule with the longest wait, or wait null where all windows have room. windows: of the rules, at the same positions; null: it was
never counted. rules: null elements (limits that are off) have room.$$;
