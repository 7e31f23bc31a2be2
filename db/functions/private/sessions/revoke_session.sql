create or replace function private.revoke_session(session_id uuid, reason text default null, client text default null)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  update "user".session s set revoked_at = clock_timestamp()
  where s.id = revoke_session.session_id and s.revoked_at is null
  returning s.* into v_session;
  if v_session.id is not null then
    perform private.record_event(
      'session.revoked', v_session.user_id, v_session.id, jsonb_build_object('reason', revoke_session.reason), revoke_session.client
    );
  end if;
end
$$;

comment on function private.revoke_session(uuid, text, text) is
$$Revokes one session: its tokens are refused from the next request on. A second call changes nothing. reason, client: of the event; null: none.$$;
