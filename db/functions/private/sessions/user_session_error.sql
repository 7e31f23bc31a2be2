create or replace function private.user_session_error(session_id uuid, user_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  select s.* into v_session from "user".session s
  where s.id = user_session_error.session_id and s.user_id = user_session_error.user_id;
  return private.access_error(v_session);
end
$$;

comment on function private.user_session_error(uuid, uuid) is
$$Why a session is not a live one of a user; null where it is. Only for routes by which a user adds or proves a second factor: all others start
with private.caller_error. session_id, user_id: claims sid and sub of a verified access token. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
