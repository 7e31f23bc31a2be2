create or replace function private.catalog_changes(
  out line text, out is_lost boolean, out is_right boolean, out is_of_files boolean, out statement text
)
returns setof record
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with in_force as materialized (
    select f.* from private.catalog_in_force() f
  )
  select l.line, true, l.is_right, l.is_of_files, l.statement
  from private.catalog_line l
  where not exists (
    select from in_force f
    where f.line = l.line
      and (f.fingerprint = l.fingerprint or l.server_version <> current_setting('server_version_num')::integer)
  )
  union all
  select f.line, false, f.is_right, f.is_of_files, f.undo
  from in_force f
  where not exists (select from private.catalog_line l where l.line = f.line)
  order by 2 desc, 1
$$;

comment on function private.catalog_changes() is
$$What differs between the catalog and what the last migration left there (private.catalog_line). Lost: missing, or changed; its statement
repairs it. Otherwise added by somebody else; its statement takes away a right or policy of our roles, and is null for anything else.$$;
