create or replace function private.promote_guest(session_id uuid, user_id uuid)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_error api.error := private.lock_guest(promote_guest.session_id);
begin
  if promote_guest.session_id is null or v_error is distinct from null then
    return v_error;
  end if;
  perform private.revoke_session(promote_guest.session_id, 'promoted');
  insert into platform.guest_promotion (guest_session_id, user_id, promoted_at)
  values (promote_guest.session_id, promote_guest.user_id, clock_timestamp());
  perform private.record_event('guest.promoted', promote_guest.user_id, promote_guest.session_id);
  perform private.call_hook('guest_promoted', array['uuid', 'uuid'], 'void', promote_guest.session_id::text, promote_guest.user_id::text);
  return null;
end
$$;

comment on function private.promote_guest(uuid, uuid) is
$$Ends a guest's session and records who the guest became, once per guest, and calls hook.guest_promoted. session_id: the guest's; null: there is none, and nothing
happens. Errors: those of private.guest_error.$$;
