create or replace function private.revoke_session(session_id uuid)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  update "user".session s set revoked_at = clock_timestamp()
  where s.id = revoke_session.session_id and s.revoked_at is null
$$;

comment on function private.revoke_session(uuid) is
$$Revokes one session: its tokens are refused from the next request on. A second call changes nothing.$$;
