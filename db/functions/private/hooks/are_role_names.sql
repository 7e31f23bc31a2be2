create or replace function private.are_role_names(roles jsonb)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_typeof(roles) = 'array' and (
    select coalesce(bool_and(jsonb_typeof(r.name) = 'string' and r.name #>> '{}' ~ '^[A-Za-z0-9_.:-]{1,64}$'), true)
    from jsonb_array_elements(case jsonb_typeof(roles) when 'array' then roles else '[]' end) r (name)
  );
end
$$;

comment on function private.are_role_names(jsonb) is
$$Whether a value is an array of names of roles: 1 to 64 letters, digits, and _ . : -, so that a Hasura variable can hold the array.$$;
