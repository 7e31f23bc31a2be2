create or replace function "user".revoke_sessions_of(user_id uuid)
returns setof "user".session
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select s.* from private.revoke_sessions_of_user(revoke_sessions_of.user_id, '{}', 'revoked_by_admin') s
$$;

comment on function "user".revoke_sessions_of(uuid) is
$$Mutation revoke_sessions_of: the admin revokes every session of an account. user_id: the account. Result: the revoked sessions, the newest
1000 of them.$$;
grant execute on function "user".revoke_sessions_of(uuid) to latchkey_admin;
