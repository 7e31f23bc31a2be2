create or replace function latchkey.user_id()
returns uuid
language plpgsql stable parallel restricted security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_claims jsonb := private.caller_claims();
begin
  return case when v_claims ->> 'user_type' = 'user' then (v_claims ->> 'sub')::uuid end;
end
$$;

comment on function latchkey.user_id() is
$$The account of the caller; null for a guest, the admin and nobody. In policies write (select latchkey.user_id()): PostgreSQL then calls it once
per statement instead of once per row.$$;
grant execute on function latchkey.user_id() to latchkey_guest, latchkey_user, latchkey_admin, latchkey_application;
