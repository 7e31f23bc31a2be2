create or replace function private.caller_error(session_id uuid, user_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    private.user_session_error(caller_error.session_id, caller_error.user_id),
    private.factor_setup_error(caller_error.user_id)
  );
end
$$;

comment on function private.caller_error(uuid, uuid) is
$$Why a user's request is refused; null for a live session of that user. Every function behind the guard for users starts with it, but those by
which a user adds or proves a second factor (private.user_session_error).
session_id, user_id: claims sid and sub of a verified access token. Errors: those of private.user_session_error and private.factor_setup_error.$$;
