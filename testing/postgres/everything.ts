import { query } from "./role_cluster.ts";

/** Catalogs of the whole cluster. */
const clusterWide = ["pg_roles", "pg_auth_members", "pg_db_role_setting"];

/**
 * What a run of pgTAP could leave behind: rows of every table, and what the catalog has but its statistics.
 * @param inCluster also what all databases of the cluster share, which nobody else may change meanwhile
 */
export function everythingIn(url: string, { inCluster = false } = {}): Promise<unknown[]> {
  const catalogs = ["pg_proc", "pg_namespace", "pg_extension", "pg_policy", ...(inCluster ? clusterWide : [])];
  return query(
    url,
    `select c.oid::regclass::text as name, query_to_xml(
       format('select count(*), md5(string_agg(t::text, '' '' order by t::text)) as rows from %s t', c.oid::regclass), true, true, ''
     )::text as found
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'
       or c.oid = any (array[${catalogs.map((name) => `'${name}'`).join(", ")}]::regclass[])
     union all
     select c.line, c.fingerprint from private.catalog_in_force() c
     order by 1`,
  );
}
