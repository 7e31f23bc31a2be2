create or replace function startup.missing_rights()
returns text[]
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select c.line from private.catalog_changes() c where c.is_lost and c.is_right order by c.line
  )
$$;

comment on function startup.missing_rights() is
$$The owners, rights and policies that the last migration left in force and that are missing or changed now: a mistaken REVOKE, or a
restore into a cluster without our roles. A process does not start then. Result: lines in alphabetical order; empty when nothing is missing.$$;
grant execute on function startup.missing_rights() to latchkey_server, latchkey_worker;
