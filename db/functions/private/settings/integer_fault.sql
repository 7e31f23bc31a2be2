create or replace function private.integer_fault(value jsonb, minimum bigint, maximum bigint)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select case
    when jsonb_typeof(value) = 'number' and value::text ~ '^[0-9]{1,15}$' and value::bigint between minimum and maximum then null
    else format('must be a whole number from %s to %s, not %s', minimum, maximum, left(value::text, 40))
  end
$$;

comment on function private.integer_fault(jsonb, bigint, bigint) is
$$What is wrong with the value of an integer setting; null when nothing is.$$;
