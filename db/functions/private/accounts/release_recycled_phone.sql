create or replace function private.release_recycled_phone(phone text)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  select a.* into v_account from "user".account a where a.phone = release_recycled_phone.phone for update;
  if not private.is_recycled(v_account) then
    return v_account.id is null;
  end if;
  update "user".account a set phone = null, updated_at = clock_timestamp() where a.id = v_account.id;
  -- Rows from after its last use are about the person who has the phone now.
  perform private.remember_phone(v_account.id, v_account.phone, (v_account.last_used_on + 1)::timestamp at time zone 'UTC', null);
  perform private.revoke_sessions_of_user(v_account.id, '{}', 'phone_recycled');
  return true;
end
$$;

comment on function private.release_recycled_phone(text) is
$$Whether a phone is free for the account of somebody who has just proved to hold it. A recycled one is taken from its old account, which keeps
its id and can be signed in to by nobody until an admin gives it another phone. The caller holds the phone's row of
private.verification_state. phone: E.164.$$;
