create or replace function "user".session_epochs()
returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select jsonb_object_agg(a.id, a.session_epoch) from "user".account a where a.sessions_ended_at is not null);
end
$$;

comment on function "user".session_epochs() is
$$@behavior -*
The session_epoch of each account with sessions that ended and are not marked as revoked yet, by its id: the policies of "user".session hide
those. Null, as nearly always: there is none.$$;
grant execute on function "user".session_epochs() to latchkey_user, latchkey_admin;
