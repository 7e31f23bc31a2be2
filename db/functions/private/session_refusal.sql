create or replace function private.session_refusal(session "user".session)
returns api.session_answer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
begin
  if session.revoked_at is not null then
    v_answer.error_code := 'SESSION_REVOKED';
  elsif session.id is null or session.refresh_token_expires_at <= clock_timestamp() then
    v_answer.error_code := 'SESSION_NOT_FOUND';
    v_answer.error_details := jsonb_build_object('reason', 'session_missing');
  end if;
  return v_answer;
end
$$;

comment on function private.session_refusal("user".session) is
$$The one place that says what a live session is: there, not revoked, its refresh token not ended.
session: a row as read, all null where there is none. Result: all null for a live one. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
revoke all on function private.session_refusal("user".session) from public;
