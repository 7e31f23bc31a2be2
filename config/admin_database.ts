import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loginUrl, parseGraphqlDatabaseUrl } from "./config.ts";
import { readSecretFiles, type Environment } from "./environment.ts";
import { homeDirectory } from "./secret_store.ts";

/**
 * Returns the connection of a program that reads as the admin, as latchkey_graphql: GRAPHQL_DATABASE_URL. Outside production it
 * is derived from DATABASE_URL, or from the address that npm start left in LATCHKEY_HOME.
 * @throws OperatorError when there is none
 */
export function adminDatabaseUrl(env: Environment): string {
  const resolved = readSecretFiles(env);
  if (resolved.GRAPHQL_DATABASE_URL || resolved.NODE_ENV === "production")
    return parseGraphqlDatabaseUrl(resolved);
  const home = homeDirectory(resolved);
  const stored = join(home, "secrets", "DATABASE_URL");
  const databaseUrl = resolved.DATABASE_URL || (existsSync(stored) ? readFileSync(stored, "utf8") : "");
  return databaseUrl ? loginUrl(databaseUrl, home, "latchkey_graphql") : parseGraphqlDatabaseUrl(resolved);
}
