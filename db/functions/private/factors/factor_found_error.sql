create or replace function private.factor_found_error(factors "user".factor[])
returns api.error
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if cardinality(factor_found_error.factors) > 0 then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'factor_not_found'));
end
$$;

comment on function private.factor_found_error("user".factor[]) is
$$The error where a user has no second factor of an id; null where it has. Another user's is none.
Errors: INVALID_REQUEST (details.reason factor_not_found).$$;
