create or replace function private.login_failure_rules(phone text, client text)
returns private.rate_limit_rule[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array[
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE_AND_IP', login_failure_rules.phone || ' ' || login_failure_rules.client),
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE', login_failure_rules.phone)
  ] || private.client_rules('LOGIN_FAILURES_PER_IP', login_failure_rules.client);
end
$$;

comment on function private.login_failure_rules(text, text) is
$$The limits that every failed login counts against; the first is the narrow one, of the phone and the client together.
phone: E.164. client: address as limits count it.$$;
