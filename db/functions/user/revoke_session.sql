create or replace function "user".revoke_session(id uuid)
returns "user".session
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  select s.* into v_session from "user".session s
  where s.id = revoke_session.id
    and s.user_id = latchkey.user_id()
    and s.revoked_at is null
    and s.session_epoch = (select a.session_epoch from "user".account a where a.id = s.user_id)
  for no key update of s;
  if v_session.id is null then
    return null;
  end if;
  perform private.revoke_session(v_session.id, 'revoked_by_user');
  select s.* into v_session from "user".session s where s.id = v_session.id;
  return v_session;
end
$$;

comment on function "user".revoke_session(uuid) is
$$Mutation revoke_session: a user revokes one of its own sessions, as logging out does. id: the session.
Result: the revoked session; null for another user's session, and for one that was revoked already.$$;
grant execute on function "user".revoke_session(uuid) to latchkey_user;
