create or replace function private.login_failure_rules(phone text, client text, account_id uuid)
returns private.rate_limit_rule[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_own private.rate_limit_rule :=
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE_AND_IP', login_failure_rules.phone || ' ' || login_failure_rules.client);
begin
  if exists (
    select from private.known_client k
    where k.account_id = login_failure_rules.account_id
      and k.client = login_failure_rules.client
      and k.logged_in_at > now() - interval '30 days'
  ) then
    return array[v_own];
  end if;
  return array[
    v_own,
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE', login_failure_rules.phone),
    private.rate_limit_rule('LOGIN_FAILURES_PER_IP', login_failure_rules.client)
  ];
end
$$;

comment on function private.login_failure_rules(text, text, uuid) is
$$The limits that a failed login counts against. A client from which the account logged in within 30 days is bound by
the phone-and-client limit alone: no number of strangers' failures locks the owner out.
phone: E.164. client: address as limits count it. account_id: null where there is no such account.$$;
revoke all on function private.login_failure_rules(text, text, uuid) from public;
