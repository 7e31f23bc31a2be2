create or replace function private.caller_error(session_id uuid, user_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  select s.* into v_session from "user".session s
  where s.id = caller_error.session_id and s.user_id = caller_error.user_id;
  return private.session_error(v_session);
end
$$;

comment on function private.caller_error(uuid, uuid) is
$$Why a user's request is refused; null for a live session of that user. Every function behind the guard for users starts with it.
session_id, user_id: claims sid and sub of a verified access token. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
