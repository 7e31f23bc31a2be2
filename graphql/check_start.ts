import type { GraphqlConfig } from "../config/config.ts";
import { checkAddresses, requireRoles } from "../db/checks/address_checks.ts";
import { checkConnections } from "../db/checks/connection_check.ts";
import { refuseRestored } from "../db/checks/restore_check.ts";
import { checkRole, checkVersion } from "../db/checks/startup_checks.ts";
import { graphqlRoles } from "../db/names.ts";
import type { Log } from "../runtime/log.ts";

type Query = Parameters<typeof checkVersion>[0]["query"];

/**
 * Checks the database's version, whether it was restored, the role and what it may become, the other address, and how
 * many connections are left.
 * @throws OperatorError and any error of node-pg
 */
export async function checkStart(config: GraphqlConfig, query: Query, log: Log): Promise<void> {
  const { directUrl, GRAPHQL_DATABASE_URL, GRAPHQL_POOL_SIZE } = config;
  const variable = "GRAPHQL_DATABASE_URL";
  const mayBecome = graphqlRoles;
  await checkVersion({ query, schema: "api", variable });
  await refuseRestored({ query });
  await checkRole({ query, log, config, mayBecome });
  await requireRoles(query, variable, mayBecome);
  await checkAddresses({
    query,
    log,
    config,
    primary: variable,
    addresses:
      directUrl === GRAPHQL_DATABASE_URL
        ? []
        : [{ variable: "GRAPHQL_DATABASE_DIRECT_URL", url: directUrl, mayBecome }],
  });
  // Two more connections: the one that listens, and the one that reads share.
  await checkConnections({ query, log, connections: Math.max(GRAPHQL_POOL_SIZE, 3) + 2 });
}
