create or replace function private.count_login(
  attempt private.password_attempt, success_rules private.rate_limit_rule[], password_is_right boolean
)
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules private.rate_limit_rule[] := private.login_failure_rules(attempt);
  v_is_known boolean := private.is_known_client(attempt.phone, attempt.client);
  v_verdict private.rate_limit_verdict;
begin
  if not count_login.password_is_right then
    return private.take_rate_limits(v_rules);
  end if;
  v_verdict := private.look_at_rate_limits(case when v_is_known then v_rules[1:1] else v_rules end);
  if v_verdict.wait is null then
    v_verdict := private.take_rate_limits(count_login.success_rules);
  end if;
  return v_verdict;
end
$$;

comment on function private.count_login(private.password_attempt, private.rate_limit_rule[], boolean) is
$$The verdict on a login whose password was compared. A wrong password counts against every limit of failures, and a spent limit refuses it
for every client. A right one counts against success_rules; a spent limit of failures refuses it, for a known client
(private.is_known_client) only the narrow one of phone and client.$$;
