create or replace function private.subjects_fault(list jsonb, clients boolean)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- fraud.is_listed compares as many digits.
  c_calling_code constant text := '^\+[1-9][0-9]{0,7}$';
  -- As http/client_address.ts writes addresses; another spelling would match nobody.
  c_client constant text := '^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-f:]+::/64|::1)$';
  c_longest constant integer := 1000;
begin
  if jsonb_typeof(subjects_fault.list) = 'array' and jsonb_array_length(subjects_fault.list) <= c_longest and not exists (
    select from jsonb_array_elements(subjects_fault.list) e (item)
    where jsonb_typeof(e.item) <> 'string'
      or not (e.item #>> '{}' ~ c_calling_code or (subjects_fault.clients and e.item #>> '{}' ~ c_client))
  ) then
    return null;
  end if;
  return 'must be a list of calling codes of 1 to 8 digits, such as "+44"'
    || case when subjects_fault.clients then ', and client addresses, such as "192.0.2.1" or "2001:db8::/64"' else '' end
    || format(': %s entries at most', c_longest);
end
$$;

comment on function private.subjects_fault(jsonb, boolean) is
$$What is wrong with a list of a fraud rule; null when nothing is. clients: client addresses may be in it, too.$$;
