create or replace function private.missing_rights()
returns text[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select r.line from private.granted_right r
    except
    select f.line from private.rights_in_force() f (line)
    order by 1
  )
$$;

comment on function private.missing_rights() is
$$The rights that the last migration left in force (private.granted_right) and that are missing now, as after a restore into a cluster
without our roles. Result: lines in alphabetical order; empty when nothing is missing.$$;
