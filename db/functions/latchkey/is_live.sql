create or replace function latchkey.is_live()
returns boolean
language plpgsql stable parallel restricted security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_claims jsonb := private.caller_claims();
  v_session "user".session;
begin
  -- Of the caller's own session only. Stable, so the statement's snapshot counts for it, too.
  select s.* into v_session from "user".session s
  where s.id = (v_claims ->> 'sid')::uuid
    and s.user_id is not distinct from case when v_claims ->> 'user_type' = 'user' then (v_claims ->> 'sub')::uuid end;
  return coalesce(private.access_error(v_session), private.factor_setup_error(v_session.user_id)) is not distinct from null;
end
$$;

comment on function latchkey.is_live() is
$$Whether the caller's session is live in this statement's snapshot: from the statement after a logout on it is false. False where nobody is signed
in, for the admin, and, as the webhook refuses it too, for a user who has to add a second factor first (SECOND_FACTOR). In policies write (select latchkey.is_live()): it reads the session once per statement.$$;
grant execute on function latchkey.is_live() to latchkey_guest, latchkey_user, latchkey_admin, latchkey_application;
