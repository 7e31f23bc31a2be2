/** Identifies a database: the cluster's system identifier, which its replicas share, and the database's id in it. */
export const databaseIdentity = `select (select system_identifier from pg_control_system()) || ' ' || d.oid as identity
  from pg_catalog.pg_database d where d.datname = current_database()`;
