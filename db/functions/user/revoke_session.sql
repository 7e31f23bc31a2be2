create or replace function "user".revoke_session(id uuid)
returns "user".session
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  update "user".session s set revoked_at = clock_timestamp()
  where s.id = revoke_session.id
    and s.user_id = latchkey.user_id()
    and s.revoked_at is null
    and s.session_epoch = (select a.session_epoch from "user".account a where a.id = s.user_id)
  returning s.*
$$;

comment on function "user".revoke_session(uuid) is
$$Mutation revoke_session: a user revokes one of its own sessions, as logging out does. id: the session.
Result: the revoked session; null for another user's session, and for one that was revoked already.$$;
grant execute on function "user".revoke_session(uuid) to latchkey_user;
