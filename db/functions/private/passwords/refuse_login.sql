create or replace function private.refuse_login(rules private.rate_limit_rule[], client text)
returns private.rate_limit_verdict
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_room private.rate_limit_verdict;
  v_verdict private.rate_limit_verdict := private.look_at_rate_limits(rules);
begin
  if v_verdict.wait is null then
    return v_verdict;
  end if;

  -- A known client's right password is admitted while a wide limit is spent. From such an address the password is
  -- compared for every phone, otherwise the response time would reveal which account logged in from there.
  v_room := private.look_at_rate_limits(rules[1:1]);
  if v_room.wait is null and exists (
    select
    from private.known_client k
    where k.client = refuse_login.client and k.logged_in_at > now() - private.known_client_lifetime()
  ) then
    return v_room;
  end if;
  return v_verdict;
end
$$;

comment on function private.refuse_login(private.rate_limit_rule[], text) is
$$The verdict on a login before its password is compared, so that a request that will be refused anyway costs no bcrypt.
rules: private.login_failure_rules. client: address as limits count it. Result: wait null to go on.$$;
