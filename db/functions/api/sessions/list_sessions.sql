create or replace function api.list_sessions(session_id uuid, user_id uuid)
returns api.session_list_answer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
  v_answer api.session_list_answer;
begin
  v_answer.error := private.caller_error(list_sessions.session_id, list_sessions.user_id);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  -- The index session_not_revoked has them in this order: nothing is sorted, and reading stops after the last one.
  v_answer.sessions := array(
    select row(
      s.id, s.id = list_sessions.session_id, s.created_at, coalesce(s.rotated_at, s.created_at), s.client, s.user_agent, s.label
    )::private.listed_session
    from "user".session s
    where s.user_id = list_sessions.user_id
      and s.session_epoch = (select a.session_epoch from "user".account a where a.id = list_sessions.user_id)
      and s.revoked_at is null and s.refresh_token_expires_at > clock_timestamp()
    order by s.created_at desc, s.id desc
    limit c_most
  );
  return v_answer;
end
$$;

comment on function api.list_sessions(uuid, uuid) is
$$GET /api/v1/auth/sessions: the caller's live sessions, newest first, at most 100.
session_id, user_id: claims sid and sub of a verified access token. Errors: SESSION_NOT_FOUND, SESSION_REVOKED; those of private.caller_error.$$;
grant execute on function api.list_sessions(uuid, uuid) to latchkey_server;
