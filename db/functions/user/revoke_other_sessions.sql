create or replace function "user".revoke_other_sessions()
returns setof "user".session
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user_id uuid := latchkey.user_id();
  v_session_id uuid := latchkey.session_id();
begin
  -- As in api.revoke_other_sessions.
  perform private.lock_account(v_user_id);
  if private.caller_error(v_session_id, v_user_id) is distinct from null then
    return;
  end if;
  return query select s.* from private.revoke_sessions_of_user(v_user_id, array[v_session_id], 'revoked_by_user') s;
end
$$;

comment on function "user".revoke_other_sessions() is
$$Mutation revoke_other_sessions: a user revokes all of its sessions except the one that makes the request. Result: the revoked sessions, the
newest 1000 of them.$$;
grant execute on function "user".revoke_other_sessions() to latchkey_user;
