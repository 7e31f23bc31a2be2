create or replace function "user".notify_session_changed()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session := coalesce(new, old);
begin
  perform pg_notify('session_changed', json_build_object('session_id', v_session.id, 'user_id', v_session.user_id)::text);
  return null;
end
$$;

comment on function "user".notify_session_changed() is
$$Trigger of "user".session: notifies the subscribers of a session's owner that there is something to read again. Sends ids only: the
subscribers read the rows under their own row-level security. Guest creation and refresh notify nobody, because NOTIFY serializes commits.$$;

create or replace trigger notify_session_opened after insert on "user".session
  for each row when (new.user_id is not null) execute function "user".notify_session_changed();
create or replace trigger notify_session_revoked after update of revoked_at on "user".session
  for each row when (new.revoked_at is distinct from old.revoked_at) execute function "user".notify_session_changed();
create or replace trigger notify_session_deleted after delete on "user".session
  for each row when (old.revoked_at is null and old.refresh_token_expires_at > clock_timestamp())
  execute function "user".notify_session_changed();
