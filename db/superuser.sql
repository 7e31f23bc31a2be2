-- Revokes from PUBLIC what only a superuser can, once per database. The embedded database and docker compose run it;
-- elsewhere a DBA may:
--   psql -d <database> -f db/superuser.sql
-- With large objects and logical messages every role that may connect can fill the disk, past every grant and policy.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure from pg_catalog.pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname ~ '^lo_' or p.proname in ('loread', 'lowrite', 'pg_logical_emit_message'))
  loop
    execute format('revoke execute on function %s from public', v_function);
  end loop;
end
$$;
