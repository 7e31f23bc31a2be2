create or replace function private.is_production()
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce((select i.production from private.installation i), true);
end
$$;

comment on function private.is_production() is
$$Whether the last migration ran with NODE_ENV=production. Where that is not known, the stricter rules hold.$$;
