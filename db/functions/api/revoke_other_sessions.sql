create or replace function api.revoke_other_sessions(session_id uuid, user_id uuid)
returns api.revocation_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.revocation_answer;
begin
  v_answer.error := private.caller_error(revoke_other_sessions.session_id, revoke_other_sessions.user_id);
  if v_answer.error is null then
    v_answer.revoked := private.revoke_sessions_of_user(revoke_other_sessions.user_id, revoke_other_sessions.session_id);
  end if;
  return v_answer;
end
$$;

comment on function api.revoke_other_sessions(uuid, uuid) is
$$POST /api/v1/auth/sessions/revoke-others: revokes every session of the user except that of the request.
session_id, user_id: claims sid and sub of a verified access token. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
grant execute on function api.revoke_other_sessions(uuid, uuid) to latchkey_server;
