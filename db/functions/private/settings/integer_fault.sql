create or replace function private.integer_fault(value jsonb, minimum bigint, maximum bigint)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select case
    when jsonb_typeof(integer_fault.value) = 'number' and integer_fault.value::text ~ '^[0-9]{1,15}$'
      and integer_fault.value::bigint between integer_fault.minimum and integer_fault.maximum then null
    else format('must be a whole number from %s to %s, not %s', integer_fault.minimum, integer_fault.maximum, left(integer_fault.value::text, 40))
  end
$$;

comment on function private.integer_fault(jsonb, bigint, bigint) is
$$What is wrong with the value of an integer setting; null when nothing is.$$;
