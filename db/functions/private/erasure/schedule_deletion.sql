create or replace function private.schedule_deletion(account_id uuid)
returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_due_at timestamptz := clock_timestamp() + private.setting_period('ACCOUNT_DELETION_GRACE_SECONDS');
begin
  update "user".account a set deletion_due_at = v_due_at where a.id = schedule_deletion.account_id;
  perform private.stop_phone_change(schedule_deletion.account_id);
  perform private.revoke_sessions_of_user(schedule_deletion.account_id, '{}', 'account_deleted');
  return v_due_at;
end
$$;

comment on function private.schedule_deletion(uuid) is
$$Deletes an account after ACCOUNT_DELETION_GRACE_SECONDS, unless a login restores it, revokes its sessions now, and stops a change of phone that waits. The caller holds the
account's row. Result: when the deletion is due.$$;
