create or replace function latchkey.role()
returns text
language plpgsql stable parallel restricted security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.caller_claims() ->> 'user_type';
end
$$;

comment on function latchkey.role() is
$$Whether the caller is a guest, a user or the admin: 'guest', 'user', 'admin'; null where nobody is signed in.$$;
grant execute on function latchkey.role() to latchkey_guest, latchkey_user, latchkey_admin, latchkey_application;
