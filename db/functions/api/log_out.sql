create or replace function api.log_out(session_id uuid)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
  v_refusal api.session_answer;
begin
  select s.* into v_session from "user".session s where s.id = log_out.session_id for no key update;
  v_refusal := private.session_refusal(v_session);
  if v_refusal.error_code is null then
    perform private.revoke_session(v_session.id);
  end if;
  return row(v_refusal.error_code, v_refusal.error_details)::api.answer;
end
$$;

comment on function api.log_out(uuid) is
$$POST /api/v1/auth/logout: revokes the session of a verified access token, and no other.
session_id: claim sid. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
revoke all on function api.log_out(uuid) from public;
grant execute on function api.log_out(uuid) to latchkey_server;
