create or replace function private.look_at_rate_limits(rules private.rate_limit_rule[])
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_windows platform.rate_limit[];
begin
  for v_position in 1 .. cardinality(look_at_rate_limits.rules) loop
    v_windows[v_position] := (select l from platform.rate_limit l where l.key = (look_at_rate_limits.rules[v_position]).key);
  end loop;
  return private.longest_wait(v_windows, look_at_rate_limits.rules);
end
$$;

comment on function private.look_at_rate_limits(private.rate_limit_rule[]) is
$$Whether every rule has room, without a lock or a write, so that a refused request costs a read.
rules: null elements (limits that are off) are skipped. Result: the rule with the longest wait, or wait null where all have room.$$;
