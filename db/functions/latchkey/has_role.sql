create or replace function latchkey.has_role(name text)
returns boolean
language plpgsql stable parallel restricted security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_claims jsonb := private.caller_claims();
begin
  return coalesce(
    has_role.name = v_claims ->> 'user_type' or jsonb_typeof(v_claims -> 'roles') = 'array' and (v_claims -> 'roles') ? has_role.name, false
  );
end
$$;

comment on function latchkey.has_role(text) is
$$Whether the caller has a role: guest, user, admin, or one of claim roles, which hook.claims gives. False where nobody is signed in.
name: of the role.$$;
grant execute on function latchkey.has_role(text) to latchkey_guest, latchkey_user, latchkey_admin, latchkey_application;
