create or replace function "user".record_session_event()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session := coalesce(new, old);
begin
  perform private.record_event(
    case tg_op when 'INSERT' then 'session.opened' else 'session.revoked' end, v_session.user_id, v_session.id,
    case tg_op
      when 'INSERT' then jsonb_build_object('amr', v_session.amr)
      when 'UPDATE' then jsonb_build_object('reason', 'by_hand')
      else jsonb_build_object('reason', 'deleted')
    end,
    case tg_op when 'INSERT' then v_session.client end
  );
  return null;
end
$$;

comment on function "user".record_session_event() is
$$Trigger of "user".session: records that a session was opened; and that one was revoked, or deleted while it was live, by an admin or an operator with
SQL. Our own functions, which run as the owner, say with which reason they revoke (private.revoke_session).$$;

create or replace trigger record_session_opened after insert on "user".session
  for each row execute function "user".record_session_event();
create or replace trigger record_session_revoked after update of revoked_at on "user".session
  for each row when (old.revoked_at is null and new.revoked_at is not null and current_user <> 'latchkey_owner')
  execute function "user".record_session_event();
create or replace trigger record_session_deleted after delete on "user".session
  for each row when (old.revoked_at is null and old.refresh_token_expires_at > clock_timestamp() and current_user <> 'latchkey_owner')
  execute function "user".record_session_event();
