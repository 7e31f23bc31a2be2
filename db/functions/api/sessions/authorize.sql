create or replace function api.authorize(session_id uuid)
returns api.session_answer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
-- Stable, like every function that it calls, so that PostgreSQL refuses a lock or a write: its calls share one
-- connection, where one that waits would delay the others.
declare
  v_session "user".session;
  v_answer api.session_answer;
begin
  select s.* into v_session from "user".session s where s.id = "authorize".session_id;
  v_answer.error := coalesce(private.access_error(v_session), private.factor_setup_error(v_session.user_id));
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.session_answer(v_session);
end
$$;

comment on function api.authorize(uuid) is
$$GET and POST /api/v1/auth/webhook/authorize: the session of a verified access token, if it is live.
session_id: claim sid. Errors: SESSION_NOT_FOUND, SESSION_REVOKED; those of private.factor_setup_error.$$;
grant execute on function api.authorize(uuid) to latchkey_server, latchkey_graphql;
