create or replace function private.factor_setup_error(user_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.setting('SECOND_FACTOR') = '"required"' and factor_setup_error.user_id is not null
    and not private.has_factor(factor_setup_error.user_id) then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'second_factor_setup_required'));
  end if;
  return null;
end
$$;

comment on function private.factor_setup_error(uuid) is
$$Why a user has to add a second factor before anything else; null where it has one, or none is required (SECOND_FACTOR).
user_id: null: a guest. Errors: INVALID_REQUEST (details.reason second_factor_setup_required).$$;
