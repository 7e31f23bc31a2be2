begin;
select plan(4);
-- As a hosting service may. First, because PL/pgSQL looks at rights once per transaction.
revoke execute on function pg_catalog.pg_control_system(), pg_catalog.pg_walfile_name(pg_lsn) from public;
set local role latchkey_owner;
select is(private.database_origin()::text, format('(,,%s)', 'private.installation'::regclass::oid), 'what PostgreSQL does not tell is null');
reset role;
select is((private.database_origin()).table_id, 'private.installation'::regclass::oid::bigint, 'the table is private.installation');
select is((private.database_origin()).system_identifier, (pg_control_system()).system_identifier, 'the cluster is that of pg_control');
select is((private.database_origin()).timeline, (pg_control_checkpoint()).timeline_id::bigint, 'the timeline is the present one');

select * from finish();
rollback;
