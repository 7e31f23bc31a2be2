create or replace function "user".revoke_other_sessions()
returns setof "user".session
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  -- Locked in the order of their ids, as in private.revoke_sessions_of_user, so that the two cannot deadlock.
  with doomed as (
    select s.id from "user".session s
    where s.user_id = nullif(current_setting('latchkey.user_id', true), '')::uuid
      and s.id <> nullif(current_setting('latchkey.session_id', true), '')::uuid
      and s.revoked_at is null
    order by s.id
    for no key update
  )
  update "user".session s set revoked_at = clock_timestamp() from doomed where s.id = doomed.id
  returning s.*
$$;

comment on function "user".revoke_other_sessions() is
$$Mutation revoke_other_sessions: a user revokes all of its sessions except the one that makes the request. Result: the revoked sessions.$$;
grant execute on function "user".revoke_other_sessions() to latchkey_user;
