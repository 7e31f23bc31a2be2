create or replace function private.last_factor_error(user_id uuid, factor_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_confirmed uuid[];
begin
  if private.setting('SECOND_FACTOR') <> '"required"' then
    return null;
  end if;
  v_confirmed := array(select f.id from "user".factor f where f.user_id = last_factor_error.user_id and f.confirmed_at is not null);
  if v_confirmed = array[last_factor_error.factor_id] then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'last_factor'));
  end if;
  return null;
end
$$;

comment on function private.last_factor_error(uuid, uuid) is
$$Why a user may not remove a second factor: it is the last one, and SECOND_FACTOR requires one. Null where it may.
Errors: INVALID_REQUEST (details.reason last_factor).$$;
