create or replace function private.rotate_session(session "user".session)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  update "user".session s
  set previous_refresh_token_id = s.refresh_token_id,
      rotated_at = clock_timestamp(),
      access_token_id = gen_random_uuid(),
      access_token_expires_at = clock_timestamp() + private.setting_seconds('ACCESS_TOKEN_TTL_SECONDS'),
      refresh_token_id = gen_random_uuid(),
      refresh_token_expires_at = clock_timestamp() + private.setting_seconds('REFRESH_TOKEN_TTL_SECONDS')
  where s.id = session.id
  returning s.* into v_session;
  return private.session_answer(v_session);
end
$$;

comment on function private.rotate_session("user".session) is
$$Replaces both token ids of a session and restarts both lifetimes. session: a row that the caller has locked.$$;
