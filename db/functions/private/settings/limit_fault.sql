create or replace function private.limit_fault(value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most_requests constant integer := 1000;
  -- The clean-up keeps the rows of every limit for the longest period of any.
  c_longest_seconds constant integer := 2592000;
  v_parts text[] := regexp_match(limit_fault.value #>> '{}', '^([1-9][0-9]{0,3})/([1-9][0-9]{0,6})$');
begin
  if jsonb_typeof(limit_fault.value) = 'string'
    and v_parts[1]::integer <= c_most_requests and v_parts[2]::integer <= c_longest_seconds then
    return null;
  end if;
  return format(
    'must be text "requests/seconds" with 1 to %s requests and 1 to %s seconds, not %s',
    c_most_requests, c_longest_seconds, left(limit_fault.value::text, 40)
  );
end
$$;

comment on function private.limit_fault(jsonb) is
$$What is wrong with the value of a limit setting; null when nothing is.$$;
