create or replace function private.open_session(user_id uuid)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  -- The trigger "user".complete_session fills in ids and lifetimes.
  insert into "user".session as s (user_id) values (open_session.user_id) returning s.* into v_session;
  return private.session_answer(v_session);
end
$$;

comment on function private.open_session(uuid) is
$$Opens a session with fresh token ids and both lifetimes from now. user_id: the account, or null for a guest.$$;
