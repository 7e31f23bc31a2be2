create or replace function private.named_prehash(prehashes text, pepper_id text default null)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select p from unnest(string_to_array(named_prehash.prehashes, ',')) p
      where split_part(p, ':', 1) = named_prehash.pepper_id limit 1
    ),
    split_part(named_prehash.prehashes, ',', 1)
  );
end
$$;

comment on function private.named_prehash(text, text) is
$$The pre-hash under one pepper: 44 characters of base64, with the pepper's id and a colon before them. prehashes: what the server sends, one for each
pepper that HASH_PEPPER names, the current one first, by commas; without an id: of a pepper without a name. pepper_id: whose is wanted; where there is
none, as of a pepper that HASH_PEPPER no longer names, the first stands in, so that as much is computed as for any other.$$;
