create or replace function latchkey.session_id()
returns uuid
language plpgsql stable parallel restricted security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (private.caller_claims() ->> 'sid')::uuid;
end
$$;

comment on function latchkey.session_id() is
$$The session of the caller, a guest or a user; null for the admin and nobody. In policies write (select latchkey.session_id()).$$;
grant execute on function latchkey.session_id() to latchkey_guest, latchkey_user, latchkey_admin, latchkey_application;
