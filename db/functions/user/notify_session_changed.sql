create or replace function "user".notify_session_changed()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session := coalesce(new, old);
begin
  perform pg_notify('session_changed', private.notification_digest(coalesce(v_session.user_id, v_session.id)));
  return null;
end
$$;

comment on function "user".notify_session_changed() is
$$Trigger of "user".session: notifies the subscribers of a session's owner that there is something to read again. Sends a digest of the
user's id (of the session's for a guest), so that PostgreSQL delivers one notification however many sessions of a user a transaction ends. The
subscribers read the rows under their own row-level security. Guest creation and refresh notify nobody, because NOTIFY serializes commits.$$;

create or replace trigger notify_session_opened after insert on "user".session
  for each row when (new.user_id is not null) execute function "user".notify_session_changed();
create or replace trigger notify_session_revoked after update of revoked_at on "user".session
  for each row when (new.revoked_at is distinct from old.revoked_at) execute function "user".notify_session_changed();
create or replace trigger notify_session_deleted after delete on "user".session
  for each row when (old.revoked_at is null and old.refresh_token_expires_at > clock_timestamp())
  execute function "user".notify_session_changed();
