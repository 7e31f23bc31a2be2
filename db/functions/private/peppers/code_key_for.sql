create or replace function private.code_key_for(code_key bytea, code_hash bytea)
returns bytea
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_named_bytes constant integer := 40;
begin
  return coalesce((
    select substr(code_key_for.code_key, n * c_named_bytes + 1, c_named_bytes)
    from generate_series(1, length(code_key_for.code_key) / c_named_bytes - 1) n
    where length(code_key_for.code_key) % c_named_bytes = 0
      and substr(code_key_for.code_key, n * c_named_bytes + 1, 8) = substr(code_key_for.code_hash, 33)
    limit 1
  ), code_key_for.code_key);
end
$$;

comment on function private.code_key_for(bytea, bytea) is
$$The code key under which private.hash_code makes a hash that can be compared with a stored one: of the pepper whose id that one ends with; as it came,
so the current one, where HASH_PEPPER does not name that pepper. code_key: as private.hash_code. code_hash: as it is stored, or null.$$;
