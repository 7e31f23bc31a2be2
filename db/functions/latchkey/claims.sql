create or replace function latchkey.claims()
returns jsonb
language plpgsql stable parallel restricted security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return nullif(private.caller_claims(), '{}');
end
$$;

comment on function latchkey.claims() is
$$The claims of the caller: sub, sid, role, user_type, those of hook.claims, and in an application's own transactions all others of the access
token. Null where nobody is signed in.$$;
grant execute on function latchkey.claims() to latchkey_guest, latchkey_user, latchkey_admin, latchkey_application;
