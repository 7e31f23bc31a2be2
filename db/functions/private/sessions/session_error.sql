create or replace function private.session_error(session "user".session)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if session.revoked_at is not null
    or session.session_epoch <> (select a.session_epoch from "user".account a where a.id = session.user_id) then
    return private.error('SESSION_REVOKED');
  end if;
  if session.id is null or session.refresh_token_expires_at <= clock_timestamp() then
    return private.error('SESSION_NOT_FOUND', jsonb_build_object('reason', 'session_missing'));
  end if;
  return null;
end
$$;

comment on function private.session_error("user".session) is
$$Why a session is refused; null for a live one. The one place that says what a live session is: it exists, is not revoked, neither alone nor
with all of its user's (private.revoke_sessions_of_user), and its refresh token has not expired. session: a row as read, all null where
there is none. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
