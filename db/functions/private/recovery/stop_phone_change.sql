create or replace function private.stop_phone_change(account_id uuid, kept_session_ids uuid[] default '{}', session_id uuid default null)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from private.phone_recovery r
  where r.account_id = stop_phone_change.account_id and r.session_id <> all (stop_phone_change.kept_session_ids);
  if found then
    perform private.record_event('phone.change_stopped', stop_phone_change.account_id, stop_phone_change.session_id);
  end if;
end
$$;

comment on function private.stop_phone_change(uuid, uuid[], uuid) is
$$Stops a change of phone that was asked for without the password; without one it changes nothing. The caller holds the account's row.
kept_session_ids: what these asked for goes on. session_id: which session stops it; null: none.$$;
