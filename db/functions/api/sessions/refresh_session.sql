create or replace function api.refresh_session(session_id uuid, refresh_token_id uuid, client text, user_agent text)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
  v_answer api.session_answer;
begin
  select s.* into v_session from "user".session s where s.id = refresh_session.session_id for no key update;
  v_answer.error := private.session_error(v_session);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if v_session.refresh_token_id = refresh_session.refresh_token_id then
    if private.session_is_over(v_session) then
      v_answer.error := private.error('SESSION_NOT_FOUND', jsonb_build_object('reason', 'session_missing'));
      return v_answer;
    end if;
    return private.rotate_session(v_session, refresh_session.client, refresh_session.user_agent);
  end if;
  if v_session.previous_refresh_token_id = refresh_session.refresh_token_id
    and v_session.rotated_at + private.setting_period('REFRESH_REUSE_GRACE_SECONDS') > clock_timestamp() then
    return private.session_answer(v_session);
  end if;

  v_answer.error := private.refuse_reused_token(v_session, refresh_session.client, refresh_session.user_agent);
  return v_answer;
end
$$;

comment on function api.refresh_session(uuid, uuid, text, text) is
$$POST /api/v1/auth/session/refresh: rotates a session's tokens (RFC 9700 section 4.14.2).
The current refresh token replaces both token ids and restarts both lifetimes. The previous one returns, within
REFRESH_REUSE_GRACE_SECONDS, the current ids and lifetimes: lost responses and parallel tabs. Any other one is taken for theft:
private.refuse_reused_token. session_id, refresh_token_id: claims sid and jti of a verified refresh token. client, user_agent: of the
request. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
grant execute on function api.refresh_session(uuid, uuid, text, text) to latchkey_server;
