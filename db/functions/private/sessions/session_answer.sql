create or replace function private.session_answer(session "user".session)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return row(
    null, session.id, session.user_id, session.user_type, session.role,
    session.access_token_id, session.access_token_expires_at,
    session.refresh_token_id, session.refresh_token_expires_at,
    session.amr, session.authenticated_at, null, false, false,
    private.hook_claims(session.user_id, session.id), private.acr(session.amr)
  )::api.session_answer;
end
$$;

comment on function private.session_answer("user".session) is
$$The answer that carries a session: what the server needs to sign its tokens. Calls hook.claims.$$;
