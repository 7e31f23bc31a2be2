create or replace function private.login_failure_rules(attempt private.password_attempt)
returns private.rate_limit_rule[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array[
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE_AND_IP', attempt.phone || ' ' || attempt.client),
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE', attempt.phone)
  ] || private.client_rules('LOGIN_FAILURES_PER_IP', attempt.client);
end
$$;

comment on function private.login_failure_rules(private.password_attempt) is
$$The limits that every failed login counts against; the first is the narrow one, of the phone and the client together.$$;
