create or replace function api.revoke_session(session_id uuid, user_id uuid, target_session_id uuid)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_target "user".session;
  v_answer api.answer;
begin
  v_answer.error := private.caller_error(revoke_session.session_id, revoke_session.user_id);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  select s.* into v_target from "user".session s
  where s.id = revoke_session.target_session_id and s.user_id = revoke_session.user_id
  for no key update;
  if private.session_error(v_target) is distinct from null then
    v_answer.error := private.error('SESSION_NOT_FOUND', jsonb_build_object('reason', 'not_own_session'));
    return v_answer;
  end if;
  perform private.revoke_session(v_target.id, 'revoked_by_user');
  return v_answer;
end
$$;

comment on function api.revoke_session(uuid, uuid, uuid) is
$$DELETE /api/v1/auth/sessions/{session_id}: revokes a live session of the caller's, its own included.
session_id, user_id: claims sid and sub of a verified access token. target_session_id: the session to revoke.
Errors: SESSION_NOT_FOUND (also with details.reason not_own_session: another user's session, or none that is live), SESSION_REVOKED; those of private.caller_error.$$;
grant execute on function api.revoke_session(uuid, uuid, uuid) to latchkey_server;
