create or replace function private.factor_change_error(user_id uuid)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.rate_limit_error(private.take_rate_limits(array[
    private.rate_limit_rule('FACTOR_CHANGES_PER_USER', factor_change_error.user_id::text)
  ]));
end
$$;

comment on function private.factor_change_error(uuid) is
$$Counts that an account begins to add a second factor, or makes recovery codes, before it is locked: each is an event that nobody can delete for a
year. Who removes one has added it. Errors: RATE_LIMIT_EXCEEDED (FACTOR_CHANGES_PER_USER).$$;
