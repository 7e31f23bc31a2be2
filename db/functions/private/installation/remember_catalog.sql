create or replace function private.remember_catalog(others text[] default '{}')
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  with in_force as materialized (
    select f.* from private.catalog_in_force() f where f.line <> all (remember_catalog.others)
  ),
  gone as (
    delete from private.catalog_line l where not exists (select from in_force f where f.line = l.line)
  )
  insert into private.catalog_line as l (line, is_right, is_of_files, statement, fingerprint, server_version)
  select f.line, f.is_right, f.is_of_files, f.statement, f.fingerprint, current_setting('server_version_num')::integer
  from in_force f
  on conflict on constraint catalog_line_pkey do update
  set is_right = excluded.is_right, is_of_files = excluded.is_of_files, statement = excluded.statement,
      fingerprint = excluded.fingerprint, server_version = excluded.server_version
  where (l.is_right, l.is_of_files, l.statement, l.fingerprint, l.server_version)
    is distinct from (excluded.is_right, excluded.is_of_files, excluded.statement, excluded.fingerprint, excluded.server_version)
$$;

comment on function private.remember_catalog(text[]) is
$$Stores what the catalog has, for private.catalog_changes. The last step of each migration. others: lines of what somebody else added,
which are not remembered.$$;
