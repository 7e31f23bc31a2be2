-- The worker's rights on its queue. Re-applied after every update of the library, whose tables have row-level
-- security without a policy: with grants alone a worker starts without an error and never sees a job.
grant usage on schema graphile_worker to latchkey_worker;
grant select, insert, update, delete on all tables in schema graphile_worker to latchkey_worker;
-- Only the migrator writes it: one row of a later version in it would stop every worker and every migration.
revoke insert, update, delete on graphile_worker.migrations from latchkey_worker;
grant usage on all sequences in schema graphile_worker to latchkey_worker;
grant execute on all functions in schema graphile_worker to latchkey_worker;

do $$
declare
  v_table text;
begin
  for v_table in
    select c.relname from pg_catalog.pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
  loop
    execute format('drop policy if exists "the worker runs the queue" on graphile_worker.%I', v_table);
    execute format(
      'create policy "the worker runs the queue" on graphile_worker.%I to latchkey_worker using (true) with check (true)', v_table);
  end loop;
  revoke all on all functions in schema graphile_worker from public;
end
$$;
