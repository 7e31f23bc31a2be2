create or replace function api.create_guest_session(client text)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
begin
  if not private.is_loopback(create_guest_session.client) then
    v_answer.error := private.rate_limit_error(private.take_rate_limits(array[
      private.rate_limit_rule('GUEST_PER_IP', create_guest_session.client)
    ]));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.open_session(null);
end
$$;

comment on function api.create_guest_session(text) is
$$POST /api/v1/auth/session/guest: opens a session without credentials.
client: address as limits count it; a loopback address is not counted. Errors: RATE_LIMIT_EXCEEDED (GUEST_PER_IP).$$;
grant execute on function api.create_guest_session(text) to latchkey_server;
