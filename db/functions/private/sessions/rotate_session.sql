create or replace function private.rotate_session(session "user".session, client text, user_agent text)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
  v_ends private.session_ends := private.session_ends(session.created_at);
  v_keeps_client boolean := private.setting('SESSION_CLIENT_DETAILS') = '"on"';
begin
  update "user".session s
  set previous_refresh_token_id = s.refresh_token_id,
      rotated_at = clock_timestamp(),
      access_token_id = gen_random_uuid(),
      access_token_expires_at = v_ends.access_token,
      refresh_token_id = gen_random_uuid(),
      refresh_token_expires_at = v_ends.refresh_token,
      client = case when v_keeps_client then rotate_session.client end,
      user_agent = case when v_keeps_client then rotate_session.user_agent end
  where s.id = session.id
  returning s.* into v_session;
  if private.setting('EVENT_SESSION_REFRESHED') = '"on"' then
    perform private.record_event('session.refreshed', v_session.user_id, v_session.id, '{}', rotate_session.client);
  end if;
  return private.session_answer(v_session);
end
$$;

comment on function private.rotate_session("user".session, text, text) is
$$Replaces both token ids of a session and restarts both lifetimes. session: a row that the caller has locked.
client, user_agent: of the request that the new tokens are issued to.$$;
