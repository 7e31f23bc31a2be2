create or replace function api.log_out(session_id uuid)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
  v_answer api.answer;
begin
  select s.* into v_session from "user".session s where s.id = log_out.session_id for no key update;
  v_answer.error := private.session_error(v_session);
  if v_answer.error is null then
    perform private.revoke_session(v_session.id, 'logged_out');
  end if;
  return v_answer;
end
$$;

comment on function api.log_out(uuid) is
$$POST /api/v1/auth/logout: revokes the session of a verified access token, and no other.
session_id: claim sid. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
grant execute on function api.log_out(uuid) to latchkey_server;
