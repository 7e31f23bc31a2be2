create or replace function private.revoke_sessions_of_user(user_id uuid)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  -- Locked in the order of their ids, so that two concurrent calls cannot deadlock.
  with doomed as (
    select s.id from "user".session s
    where s.user_id = revoke_sessions_of_user.user_id and s.revoked_at is null
    order by s.id
    for no key update
  )
  update "user".session s set revoked_at = clock_timestamp() from doomed where s.id = doomed.id
$$;

comment on function private.revoke_sessions_of_user(uuid) is
$$Revokes every session of an account. The caller holds the account's row, so that no concurrent login opens another one.$$;
