create or replace function private.refuse_login(attempt private.password_attempt)
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules private.rate_limit_rule[] := private.login_failure_rules(attempt);
  v_room private.rate_limit_verdict;
  v_verdict private.rate_limit_verdict := private.look_at_rate_limits(v_rules);
begin
  if v_verdict.wait is null then
    return v_verdict;
  end if;

  -- A known client's right password is admitted while a wide limit is spent. From such an address the password is
  -- compared for every phone, otherwise the response time would reveal which account logged in from there.
  v_room := private.look_at_rate_limits(v_rules[1:1]);
  if v_room.wait is null and exists (
    select
    from private.known_client k
    where k.client = attempt.client and k.logged_in_at > now() - private.known_client_lifetime()
  ) then
    return v_room;
  end if;
  return v_verdict;
end
$$;

comment on function private.refuse_login(private.password_attempt) is
$$The verdict on a login before its password is compared, so that a request that will be refused anyway costs no bcrypt.
Result: wait null to go on.$$;
