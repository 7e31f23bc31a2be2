create or replace function private.origins_fault(value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
  -- A host name alone has 255 at most (RFC 1035, section 2.3.4).
  c_longest constant integer := 255;
  v_origin jsonb;
begin
  if jsonb_typeof(value) is distinct from 'array' or jsonb_array_length(value) > c_most then
    return format('must be an array of %s origins at most', c_most);
  end if;
  for v_origin in select o.value from jsonb_array_elements(value) o loop
    -- As browsers write an origin (location.origin): lower case, no path.
    if jsonb_typeof(v_origin) <> 'string' or length(v_origin #>> '{}') > c_longest
      or v_origin #>> '{}' !~ '^(https://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*|http://localhost)(:[1-9][0-9]{0,4})?$' then
      return format('must hold https origins such as https://app.example.com, or http://localhost, not %s', left(v_origin::text, 40));
    end if;
  end loop;
  return null;
end
$$;

comment on function private.origins_fault(jsonb) is
$$What is wrong with the value of OTP_ORIGINS; null when nothing is.$$;
