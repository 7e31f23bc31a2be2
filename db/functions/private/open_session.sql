create or replace function private.open_session(user_id uuid)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  insert into "user".session as s (
    id, user_id, user_type, role,
    access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at
  )
  select
    private.new_id(), open_session.user_id, user_type, user_type,
    gen_random_uuid(), clock_timestamp() + private.setting_seconds('ACCESS_TOKEN_TTL_SECONDS'),
    gen_random_uuid(), clock_timestamp() + private.setting_seconds('REFRESH_TOKEN_TTL_SECONDS')
  from (values (case when open_session.user_id is null then 'guest' else 'user' end)) kind (user_type)
  returning s.* into v_session;
  return private.session_answer(v_session);
end
$$;

comment on function private.open_session(uuid) is
$$Opens a session with fresh token ids and both lifetimes from now. user_id: the account, or null for a guest.$$;
revoke all on function private.open_session(uuid) from public;
