import type { z } from "zod";
import { adminSecretsOf } from "./admin_secrets.ts";
import { encryptionKeysOf } from "./keys_config.ts";
import { isOn } from "./fields.ts";
import { findMisspelled, isSet, parseVariables, requireNone, type Environment, type Problems } from "./environment.ts";
import { operationsAddress } from "./operations.ts";
import { deriveCodeKey, deriveKeys, fingerprintsOf } from "./secrets/derived_keys.ts";
import { homeDirectory } from "./secrets/secret_store.ts";
import { resolveSecrets } from "./secrets/resolve_secrets.ts";
import { allVariables, environmentSchemas, graphqlEnvironment, migratorEnvironment } from "./variables.ts";

export type ServerConfig = ReturnType<typeof serverConfig>;
export type GraphqlConfig = ReturnType<typeof graphqlConfig>;
export type WorkerConfig = ReturnType<typeof workerConfig>;
export type MigratorConfig = ReturnType<typeof migratorConfig>;

/** Parses the server's environment. @throws OperatorError that lists every invalid or missing variable */
export function serverConfig(env: Environment) {
  const parsed = parse(environmentSchemas.server, env).config;
  return Object.freeze({
    ...parsed,
    production: parsed.NODE_ENV === "production",
    DRAIN_DELAY_MS: drainDelay(parsed),
    // The demo registers anybody, and shows what the console provider prints.
    DEMO: isOn(parsed.DEMO ?? (parsed.NODE_ENV === "production" ? "off" : "on")),
    operations: operationsAddress(parsed, "server"),
    directUrl: parsed.SERVER_DATABASE_DIRECT_URL ?? parsed.SERVER_DATABASE_URL,
    encryptionKeys: encryptionKeysOf(parsed.KEY_ENCRYPTION_KEY ?? []),
    passwordKeys: deriveKeys(parsed.HASH_PEPPER, "password"),
    codeKey: deriveCodeKey(parsed.HASH_PEPPER),
    factorKeys: deriveKeys(parsed.HASH_PEPPER, "factor"),
    pepperFingerprints: fingerprintsOf(parsed.HASH_PEPPER),
  });
}

/** Parses the environment of GraphQL's program. @throws OperatorError that lists every invalid or missing variable */
export function graphqlConfig(env: Environment) {
  const parsed = parse(environmentSchemas.graphql, env).config;
  return Object.freeze({
    ...parsed,
    production: parsed.NODE_ENV === "production",
    DRAIN_DELAY_MS: drainDelay(parsed),
    adminSecrets: adminSecretsOf(parsed),
    operations: operationsAddress(parsed, "graphql"),
    directUrl: parsed.GRAPHQL_DATABASE_DIRECT_URL ?? parsed.GRAPHQL_DATABASE_URL,
  });
}

/** The environment of GraphQL's program alone, with its secrets as values and without what only other programs use. */
export function graphqlEnvironmentOf(env: Environment): Environment {
  const { variables } = parse(environmentSchemas.graphql, env);
  const isOfOthers = (name: string) =>
    allVariables.includes(name.replace(/_FILE$/, "")) && !(name in graphqlEnvironment.shape);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !isOfOthers(name)));
}

/** Time for load balancers to see that a program is not ready. The whole shutdown fits into Docker's ten seconds. */
const drainDelay = (parsed: { NODE_ENV: string; DRAIN_DELAY_MS?: number | undefined }): number =>
  parsed.DRAIN_DELAY_MS ?? (parsed.NODE_ENV === "production" ? 5_000 : 0);

/** Parses the worker's environment. @throws OperatorError that lists every invalid or missing variable */
export function workerConfig(env: Environment) {
  const parsed = parse(environmentSchemas.worker, env).config;
  return Object.freeze({
    ...parsed,
    production: parsed.NODE_ENV === "production",
    operations: operationsAddress(parsed, "worker"),
    directUrl: parsed.WORKER_DATABASE_DIRECT_URL ?? parsed.WORKER_DATABASE_URL,
    codeKey: deriveCodeKey(parsed.HASH_PEPPER),
    pepperFingerprints: fingerprintsOf(parsed.HASH_PEPPER),
  });
}

/** Parses the migrator's environment. @throws OperatorError that lists every invalid or missing variable */
export function migratorConfig(env: Environment) {
  const { config, variables } = parse(environmentSchemas.migrator, env);
  return Object.freeze({
    ...config,
    production: config.NODE_ENV === "production",
    environment: variables,
    /** The login roles' addresses whose passwords come from LATCHKEY_HOME, and not from the operator. */
    derivedAddresses: Object.keys(migratorEnvironment.shape).filter(
      (name) => name.endsWith("_DATABASE_URL") && !isSet(env, name),
    ),
    home: homeDirectory(variables),
  });
}

/**
 * Checks the environment of all processes before npm start runs any of them.
 * @param databaseUrl stands for the embedded database, which is not running yet
 * @throws OperatorError that lists every invalid or missing variable
 */
export function requireValidEnvironment(env: Environment, databaseUrl: string): void {
  const problems: Problems = new Map();
  const complete = isSet(env, "DATABASE_URL") ? env : { ...env, DATABASE_URL: databaseUrl };
  findMisspelled(env, allVariables, [], problems);
  for (const schema of Object.values(environmentSchemas))
    parseVariables(schema, resolveSecrets(schema, complete, problems), problems);
  requireNone(problems);
}

function parse<T extends z.ZodObject>(schema: T, env: Environment) {
  const problems: Problems = new Map();
  findMisspelled(env, Object.keys(schema.shape), allVariables, problems);
  const variables = resolveSecrets(schema, env, problems);
  const config = parseVariables(schema, variables, problems);
  requireNone(problems);
  return { config: config as z.output<T>, variables };
}
