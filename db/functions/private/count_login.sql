create or replace function private.count_login(
  rules private.rate_limit_rule[], phone text, password_is_right boolean, by_known_client boolean
)
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_verdict private.rate_limit_verdict;
begin
  if not password_is_right then
    return private.take_rate_limits(rules);
  end if;
  v_verdict := private.look_at_rate_limits(case when by_known_client then rules[1:1] else rules end);
  if v_verdict.wait is null then
    v_verdict := private.take_rate_limits(private.login_rules(count_login.phone));
  end if;
  return v_verdict;
end
$$;

comment on function private.count_login(private.rate_limit_rule[], text, boolean, boolean) is
$$The verdict on a login whose password was compared. A wrong one counts against every limit of failures, and is refused alike for
everybody where one is spent. A right one counts as a login; it is refused while a limit of failures is spent, by a known client while
that of its own is. rules: private.login_failure_rules. phone: E.164. by_known_client: private.is_known_client.$$;
