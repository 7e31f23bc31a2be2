create or replace function api.describe_caller(session_id uuid)
returns api.caller_answer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
-- Stable, because its calls share a connection with those of api.authorize.
declare
  v_session "user".session;
  v_account "user".account;
  v_phone_change_due_at timestamptz;
  v_answer api.caller_answer;
begin
  select s.* into v_session from "user".session s where s.id = describe_caller.session_id;
  v_answer.error := private.access_error(v_session);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if v_session.user_id is not null then
    select a.* into v_account from "user".account a where a.id = v_session.user_id;
    select r.due_at into v_phone_change_due_at from private.phone_recovery r where r.account_id = v_session.user_id;
  end if;
  return row(
    null, v_session.id, v_session.user_type, v_session.role, v_session.user_id, v_account.phone, v_account.email,
    v_session.created_at, v_session.access_token_expires_at, v_session.refresh_token_expires_at, v_account.deletion_due_at,
    v_phone_change_due_at
  )::api.caller_answer;
end
$$;

comment on function api.describe_caller(uuid) is
$$GET /api/v1/auth/session: who is calling. session_id: claim sid of a verified access token, a guest's or a user's.
Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
grant execute on function api.describe_caller(uuid) to latchkey_server;
