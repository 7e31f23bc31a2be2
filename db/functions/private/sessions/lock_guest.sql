create or replace function private.lock_guest(session_id uuid)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if lock_guest.session_id is null then
    return null;
  end if;
  -- Locks first and reads with a second statement, which sees what a concurrent refresh or promotion of the guest has
  -- committed.
  perform from "user".session s where s.id = lock_guest.session_id for no key update;
  return private.guest_error(lock_guest.session_id);
end
$$;

comment on function private.lock_guest(uuid) is
$$Locks a guest's session until the transaction ends and says whether it can become a user's. Parameter and errors: private.guest_error.$$;
