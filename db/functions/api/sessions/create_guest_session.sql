create or replace function api.create_guest_session(client text, user_agent text)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
begin
  if not private.is_loopback(create_guest_session.client) then
    v_answer.error := private.rate_limit_error(private.take_rate_limits(
      private.client_rules('GUEST_PER_IP', create_guest_session.client)
    ));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.open_session(
    row(null, null, create_guest_session.client, create_guest_session.user_agent, null, null)::private.sign_in
  );
end
$$;

comment on function api.create_guest_session(text, text) is
$$POST /api/v1/auth/session/guest: opens a session without credentials.
client: address as limits count it; a loopback address is not counted. user_agent: the header, or null.
Errors: RATE_LIMIT_EXCEEDED (GUEST_PER_IP).$$;
grant execute on function api.create_guest_session(text, text) to latchkey_server;
