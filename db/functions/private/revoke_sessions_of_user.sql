create or replace function private.revoke_sessions_of_user(user_id uuid, kept_session_id uuid default null)
returns integer
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  -- Locked in the order of their ids, so that two concurrent calls cannot deadlock.
  with doomed as (
    select s.id from "user".session s
    where s.user_id = revoke_sessions_of_user.user_id
      and s.id is distinct from revoke_sessions_of_user.kept_session_id
      and s.revoked_at is null
    order by s.id
    for no key update
  ), revoked as (
    update "user".session s set revoked_at = clock_timestamp() from doomed where s.id = doomed.id
    returning s.refresh_token_expires_at
  )
  select count(*) filter (where r.refresh_token_expires_at > clock_timestamp())::integer from revoked r
$$;

comment on function private.revoke_sessions_of_user(uuid, uuid) is
$$Revokes every session of an account but one, and returns how many of them were live. kept_session_id: null: all are revoked.
A caller who must leave no other one holds the account's row, so that no concurrent login opens it.$$;
