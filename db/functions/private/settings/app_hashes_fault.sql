create or replace function private.app_hashes_fault(value jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
  v_hash jsonb;
begin
  if jsonb_typeof(value) is distinct from 'array' or jsonb_array_length(value) > c_most then
    return format('must be an array of %s hashes at most', c_most);
  end if;
  for v_hash in select h.value from jsonb_array_elements(value) h loop
    if jsonb_typeof(v_hash) <> 'string' or v_hash #>> '{}' !~ '^[A-Za-z0-9+/]{11}$' then
      return format('must hold hashes of apps, 11 characters of base64 each, not %s', left(v_hash::text, 40));
    end if;
  end loop;
  return null;
end
$$;

comment on function private.app_hashes_fault(jsonb) is
$$What is wrong with the value of OTP_APP_HASHES; null when nothing is.$$;
