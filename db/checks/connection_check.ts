import type pg from "pg";
import type { Log } from "../../runtime/log.ts";

interface ConnectionCheck {
  query: pg.Pool["query"];
  /** The most connections that this process opens. */
  connections: number;
  log: Log;
}

/** Logs how many connections a process may open, and warns where PostgreSQL has fewer left. */
export async function checkConnections({ query, connections, log }: ConnectionCheck): Promise<void> {
  // Counted by user, because PostgreSQL shows a role the backend type of its own connections only.
  const { rows } = await query<{ allowed: number; taken: number }>(
    `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as allowed,
            (select count(*)::integer from pg_catalog.pg_stat_activity a
             where a.datid is not null and a.usesysid is not null and a.pid <> pg_backend_pid()) as taken`,
  );
  const { allowed = 0, taken = 0 } = rows[0] ?? {};
  log.info({ connections, taken, allowed }, "database connections");
  if (connections + taken <= allowed) return;
  log.warn(
    `This process may open ${connections} database connections; ${taken} of the ${allowed} that PostgreSQL allows are taken. ` +
      "Raise max_connections, or lower SERVER_POOL_SIZE, PASSWORD_POOL_SIZE, GRAPHQL_POOL_SIZE or WORKER_POOL_SIZE. " +
      'docs/operations.md, "Connections", says how to add up all processes.',
  );
}
