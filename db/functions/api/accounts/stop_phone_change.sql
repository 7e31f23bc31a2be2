create or replace function api.stop_phone_change(session_id uuid, user_id uuid)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.answer;
begin
  perform private.lock_account(stop_phone_change.user_id);
  v_answer.error := private.caller_error(stop_phone_change.session_id, stop_phone_change.user_id);
  if v_answer.error is null then
    perform private.stop_phone_change(stop_phone_change.user_id, '{}', stop_phone_change.session_id);
  end if;
  return v_answer;
end
$$;

comment on function api.stop_phone_change(uuid, uuid) is
$$DELETE /api/v1/auth/phone/change: stops a change of the caller's phone that was asked for without the password; without one it changes nothing.
session_id, user_id: claims sid and sub of a verified access token. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.$$;
grant execute on function api.stop_phone_change(uuid, uuid) to latchkey_server;
