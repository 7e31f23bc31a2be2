create or replace function "user".revoke_sessions_of(user_id uuid)
returns setof "user".session
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_live uuid[];
begin
  -- Locks the account: the session of a login in progress is either revoked too, or opened afterwards.
  perform private.lock_account(revoke_sessions_of.user_id);
  v_live := array(select s.id from "user".session s where s.user_id = revoke_sessions_of.user_id and s.revoked_at is null);
  perform private.revoke_sessions_of_user(revoke_sessions_of.user_id);
  return query select s.* from "user".session s where s.id = any (v_live);
end
$$;

comment on function "user".revoke_sessions_of(uuid) is
$$Mutation revoke_sessions_of: the admin revokes every session of an account. user_id: the account. Result: the revoked sessions.$$;
grant execute on function "user".revoke_sessions_of(uuid) to latchkey_admin;
