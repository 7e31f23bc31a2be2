create or replace function private.limit_fault(value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_parts text[] := regexp_match(value #>> '{}', '^([1-9][0-9]{0,3})/([1-9][0-9]{0,6})$');
begin
  -- The bounds keep a window's end within the clean-up's reach, and its count within what one client can mean.
  if jsonb_typeof(value) = 'string' and v_parts[1]::integer <= 1000 and v_parts[2]::integer <= 2592000 then
    return null;
  end if;
  return format('must be text "requests/seconds" with 1 to 1000 requests and 1 to 2592000 seconds, not %s', left(value::text, 40));
end
$$;

comment on function private.limit_fault(jsonb) is
$$What is wrong with the value of a limit setting; null when nothing is.$$;
