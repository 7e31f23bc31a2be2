create or replace function private.session_is_over(session "user".session)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return least(
    session.created_at + private.setting_period('SESSION_MAX_SECONDS'),
    coalesce(session.rotated_at, session.created_at) + private.setting_period('SESSION_IDLE_SECONDS')
  ) <= clock_timestamp();
end
$$;

comment on function private.session_is_over("user".session) is
$$Whether SESSION_MAX_SECONDS or SESSION_IDLE_SECONDS, as they are now, forbid another refresh; null: both are off. The stored end of a
session has the values of its last refresh: a limit that was lowered since then counts from the next one.$$;
