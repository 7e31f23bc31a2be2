create or replace function private.needs_refresh(session "user".session)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    coalesce(session.rotated_at, session.created_at) <= (select i.sessions_refresh_after from private.installation i where i.is_one), false
  );
end
$$;

comment on function private.needs_refresh("user".session) is
$$Whether a session's tokens are older than the latest restore (platform.after_restore). Its access tokens are refused until it has refreshed, which it
can only with the refresh token of the restored row: a session that was refreshed after the moment of the backup is over.$$;
