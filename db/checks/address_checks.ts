import pg from "pg";
import { DatabaseClient } from "../../runtime/database/client.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import type { Log } from "../../runtime/log.ts";
import { databaseIdentity } from "../roles/database_identity.ts";
import { explainFailure } from "./connection_failure.ts";
import { checkRole } from "./startup_checks.ts";

export interface Address {
  /** Name of the environment variable. */
  variable: string;
  url: string;
  /** Roles that the address's role must be able to become, because requests run as them. */
  mayBecome?: string[];
}

interface Options {
  /** Queries the database that the other addresses must lead to. */
  query: pg.Pool["query"];
  /** Name of that database's variable. */
  primary: string;
  addresses: Address[];
  log: Log;
  config: { production: boolean };
}

/**
 * Checks a process's other addresses. One that leads to another database would cause no error: LISTEN would receive no
 * notification, and a user would have no sessions.
 */
export async function checkAddresses({ query, primary, addresses, log, config }: Options): Promise<void> {
  const { rows } = await query<{ identity: string }>(databaseIdentity);
  for (const { variable, url, mayBecome = [] } of addresses) {
    const pool = new pg.Pool({
      connectionString: url,
      Client: DatabaseClient,
      max: 1,
      connectionTimeoutMillis: 30_000,
    });
    pool.on("error", () => undefined);
    const queryAddress = pool.query.bind(pool);
    try {
      const found = await queryAddress<{ identity: string }>(databaseIdentity).catch((error: unknown) =>
        explainFailure(error, variable),
      );
      if (found.rows[0]?.identity !== rows[0]?.identity)
        throw new OperatorError(`${variable} leads to another database than ${primary}: it must be the same.`);
      await checkRole({ query: queryAddress, log, config, mayBecome });
      await requireRoles(queryAddress, variable, mayBecome);
    } finally {
      await pool.end();
    }
  }
}

/** @throws OperatorError if the address's role may not become one of these */
export async function requireRoles(query: pg.Pool["query"], variable: string, roles: string[]): Promise<void> {
  const { rows } = await query<{ role: string; missing: string }>(
    `select current_user as role, string_agg(r.rolname, ', ' order by r.rolname) as missing
     from pg_catalog.pg_roles r where r.rolname = any ($1::name[]) and not pg_has_role(r.oid, 'member')`,
    [roles],
  );
  const [found] = rows;
  if (!found?.missing) return;
  throw new OperatorError(
    `The role ${found.role} of ${variable} may not become ${found.missing}: the address has to name latchkey_graphql. ` +
      "If it does, npm run db:migrate gives the rights back.",
  );
}
