create or replace function private.access_error(session "user".session)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_error api.error := private.session_error(session);
begin
  if v_error is distinct from null then
    return v_error;
  end if;
  if private.needs_refresh(session) then
    return private.error('SESSION_NOT_FOUND', jsonb_build_object('reason', 'token_expired'));
  end if;
  return null;
end
$$;

comment on function private.access_error("user".session) is
$$Why an access token is refused; null where its session is live (private.session_error) and need not refresh first (private.needs_refresh).
session: a row as read, all null where there is none. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
