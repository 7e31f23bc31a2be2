create or replace function private.guest_error(session_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  if guest_error.session_id is null then
    return null;
  end if;
  select s.* into v_session from "user".session s where s.id = guest_error.session_id;
  if v_session.user_id is not null then
    return private.error('SESSION_MISMATCH');
  end if;
  return private.access_error(v_session);
end
$$;

comment on function private.guest_error(uuid) is
$$Why a guest session cannot become a user's; null for a live one, and for none. Callers read it before they count or consume anything,
so that a request with a dead token changes nothing. session_id: claim sid of a guest's access token, or null.
Errors: SESSION_NOT_FOUND, SESSION_REVOKED, SESSION_MISMATCH.$$;
