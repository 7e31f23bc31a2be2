create or replace function delivery.missing_rights()
returns text[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.missing_rights();
end
$$;

comment on function delivery.missing_rights() is
$$The rights that the database lost, which stop the start of a worker: as private.missing_rights.$$;
grant execute on function delivery.missing_rights() to latchkey_worker;
