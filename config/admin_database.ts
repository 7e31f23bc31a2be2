import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isSet, parseVariables, requireNone, type Environment, type Problems } from "./environment.ts";
import { databaseTls, databaseUrl, requireTls } from "./database_url.ts";
import { resolveSecrets } from "./secrets/resolve_secrets.ts";
import { homeDirectory } from "./secrets/secret_store.ts";

const adminEnvironment = requireTls(
  z.object({ NODE_ENV: z.string().optional(), DATABASE_TLS: databaseTls, GRAPHQL_DATABASE_URL: databaseUrl }),
);

/**
 * Returns the connection of a program that reads as the admin, as latchkey_graphql: GRAPHQL_DATABASE_URL. Outside
 * production it is derived from DATABASE_URL, or from the address that npm start has stored in LATCHKEY_HOME.
 * @throws OperatorError when there is none
 */
export function adminDatabaseUrl(env: Environment): string {
  const problems: Problems = new Map();
  const variables = resolveSecrets(adminEnvironment, addDatabaseOfNpmStart(env), problems);
  const config = parseVariables(adminEnvironment, variables, problems);
  requireNone(problems);
  return config?.GRAPHQL_DATABASE_URL ?? "";
}

/** Outside production, adds the address that npm start has stored in LATCHKEY_HOME. */
export function addDatabaseOfNpmStart(env: Environment): Environment {
  if (env.NODE_ENV === "production" || isSet(env, "DATABASE_URL")) return env;
  const stored = join(homeDirectory(env), "secrets", "DATABASE_URL");
  return existsSync(stored) ? { ...env, DATABASE_URL: readFileSync(stored, "utf8") } : env;
}
