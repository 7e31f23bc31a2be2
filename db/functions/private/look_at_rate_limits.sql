create or replace function private.look_at_rate_limits(rules private.rate_limit_rule[])
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule private.rate_limit_rule;
  v_window platform.rate_limit;
  v_wait interval;
  v_verdict private.rate_limit_verdict;
begin
  foreach v_rule in array rules loop
    select l.* into v_window from platform.rate_limit l where l.key = v_rule.key;
    v_wait := private.rate_limit_wait(v_window, v_rule);
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
