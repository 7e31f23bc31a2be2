create or replace function api.revoke_other_sessions(session_id uuid, user_id uuid)
returns api.revocation_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.revocation_answer;
begin
  -- Under the account's lock: a session that a reset ended meanwhile must not end those that were opened after it.
  perform private.lock_account(revoke_other_sessions.user_id);
  v_answer.error := private.caller_error(revoke_other_sessions.session_id, revoke_other_sessions.user_id);
  if v_answer.error is null then
    select count(*) filter (where r.refresh_token_expires_at > clock_timestamp())::integer into v_answer.revoked
    from private.revoke_sessions_of_user(revoke_other_sessions.user_id, array[revoke_other_sessions.session_id], 'revoked_by_user') r;
  end if;
  return v_answer;
end
$$;

comment on function api.revoke_other_sessions(uuid, uuid) is
$$POST /api/v1/auth/sessions/revoke-others: revokes every session of the user except that of the request. revoked: how many were live, at
most 1000 (private.revoke_sessions_of_user).
session_id, user_id: claims sid and sub of a verified access token. Errors: SESSION_NOT_FOUND, SESSION_REVOKED; those of private.caller_error.$$;
grant execute on function api.revoke_other_sessions(uuid, uuid) to latchkey_server;
