create or replace function private.session_ends(opened_at timestamptz)
returns private.session_ends
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_ends private.session_ends;
begin
  -- least() ignores a null, which is a limit that is off.
  v_ends.refresh_token := date_trunc('second', least(
    v_now + private.setting_period('REFRESH_TOKEN_TTL_SECONDS'),
    v_now + private.setting_period('SESSION_IDLE_SECONDS'),
    session_ends.opened_at + private.setting_period('SESSION_MAX_SECONDS')
  ));
  v_ends.access_token := least(
    date_trunc('second', v_now + private.setting_period('ACCESS_TOKEN_TTL_SECONDS')), v_ends.refresh_token
  );
  return v_ends;
end
$$;

comment on function private.session_ends(timestamptz) is
$$When tokens that a session gets now expire: whole seconds, as claim exp of a token has them. The refresh token's end is the session's, and no access token outlives it.
opened_at: when the session was opened.$$;
