create or replace function api.create_guest_session(client text)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
  v_rule private.rate_limit_rule;
  v_verdict private.rate_limit_verdict;
begin
  if not private.is_loopback(create_guest_session.client) then
    v_rule := private.rate_limit_rule('GUEST_PER_IP', create_guest_session.client);
  end if;
  if not (v_rule is null) then
    v_verdict := private.take_rate_limits(array[v_rule]);
  end if;
  if v_verdict.wait is not null then
    v_answer.error_code := 'RATE_LIMIT_EXCEEDED';
    v_answer.error_details := private.rate_limit_details(v_verdict);
    return v_answer;
  end if;
  return private.open_session(null);
end
$$;

comment on function api.create_guest_session(text) is
$$POST /api/v1/auth/session/guest: opens a session without credentials.
client: address as limits count it; a loopback address is not counted. Errors: RATE_LIMIT_EXCEEDED (GUEST_PER_IP).$$;
revoke all on function api.create_guest_session(text) from public;
grant execute on function api.create_guest_session(text) to latchkey_server;
