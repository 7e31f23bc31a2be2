import { hkdfSync, randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { z } from "zod";
import { OperatorError } from "../runtime/operator_error.ts";
import { parseEnvironment, readSecretFiles, type Environment } from "./environment.ts";
import { parseCorsOrigins, parseHostNames } from "./hosts.ts";
import { homeDirectory, loadOrCreateSecret, randomSecret } from "./secret_store.ts";
import { createSigningKeys, parseSigningKeys } from "./signing_keys.ts";
import { parseTrustProxy } from "./trust_proxy.ts";

const url = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" });
const secret = (bytes: number) => z.string().min(bytes, `must be ${bytes} characters or more`);
const pepper = z
  .base64("must be base64")
  .transform((text) => Buffer.from(text, "base64"))
  .refine((key) => key.length >= 32, "must be 32 bytes or more");
const integer = (minimum: number, maximum: number) => {
  const fault = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number(fault).int(fault).min(minimum, fault).max(maximum, fault);
};
const poolSize = integer(1, 500);

const base = z.object({
  NODE_ENV: z.string().default("development"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

const serverEnvironment = base.extend({
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).max(60_000).optional(),
  TRUST_PROXY: z.string().default("off").transform(parseTrustProxy),
  CORS_ORIGINS: z.string().transform(parseCorsOrigins).optional(),
  SERVER_DATABASE_URL: url,
  SERVER_DATABASE_DIRECT_URL: url.optional(),
  SERVER_POOL_SIZE: poolSize.default(10),
  // bcrypt keeps a core of the database busy: more at once than it has cores slow everything else.
  PASSWORD_POOL_SIZE: poolSize.default(Math.max(2, availableParallelism())),
  HASH_PEPPER: pepper,
  JWT_KEYS: z.string().transform(parseSigningKeys),
  JWT_ISSUER: z.string().default("latchkey"),
  JWT_AUDIENCE: z.string().default("latchkey-api"),
  ADMIN_SECRET: secret(32),
  AUTH_WEBHOOK_SECRET: z.string().optional(),
  AUTH_WEBHOOK_URL: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
    .optional(),
  GRAPHQL_DATABASE_URL: url,
  GRAPHQL_DATABASE_DIRECT_URL: url.optional(),
  GRAPHQL_POOL_SIZE: poolSize.default(8),
  GRAPHQL_INTROSPECTION: z
    .enum(["on", "off"])
    .default("off")
    .transform((given) => given === "on"),
  GRAPHQL_STATEMENT_TIMEOUT_MS: integer(1, 60_000).default(5_000),
  GRAPHQL_BUDGET_MS: integer(1, 1_000).default(200),
});

const workerEnvironment = base.extend({
  WORKER_DATABASE_URL: url,
  WORKER_DATABASE_DIRECT_URL: url.optional(),
  WORKER_POOL_SIZE: poolSize.default(15),
  HASH_PEPPER: pepper,
  SMS_HTTP_TOKEN: z.string().optional(),
  SMS_HTTP_HOSTS: z.string().transform(parseHostNames).default([]),
});

const migratorEnvironment = base.extend({
  DATABASE_URL: url,
  SERVER_DATABASE_URL: url,
  GRAPHQL_DATABASE_URL: url,
  WORKER_DATABASE_URL: url,
});

export type ServerConfig = ReturnType<typeof serverConfig>;
export type WorkerConfig = ReturnType<typeof workerConfig>;
export type MigratorConfig = ReturnType<typeof migratorConfig>;

export function serverConfig(env: Environment) {
  const given = parseEnvironment(serverEnvironment, withMadeSecrets(env));
  return Object.freeze({
    ...given,
    production: given.NODE_ENV === "production",
    // For load balancers to see that the server is not ready. With the rest of a stop it fits into Docker's ten seconds.
    DRAIN_DELAY_MS: given.DRAIN_DELAY_MS ?? (given.NODE_ENV === "production" ? 5_000 : 0),
    directUrl: given.SERVER_DATABASE_DIRECT_URL ?? given.SERVER_DATABASE_URL,
    graphqlDirectUrl: given.GRAPHQL_DATABASE_DIRECT_URL ?? given.GRAPHQL_DATABASE_URL,
    passwordKey: derivedKey(given.HASH_PEPPER, "password"),
    codeKey: derivedKey(given.HASH_PEPPER, "code"),
    pepperFingerprint: derivedKey(given.HASH_PEPPER, "fingerprint"),
  });
}

export function workerConfig(env: Environment) {
  const given = parseEnvironment(workerEnvironment, withMadeSecrets(env));
  return Object.freeze({
    ...given,
    production: given.NODE_ENV === "production",
    directUrl: given.WORKER_DATABASE_DIRECT_URL ?? given.WORKER_DATABASE_URL,
    codeKey: derivedKey(given.HASH_PEPPER, "code"),
    pepperFingerprint: derivedKey(given.HASH_PEPPER, "fingerprint"),
  });
}

export function migratorConfig(env: Environment) {
  const resolved = withMadeSecrets(env);
  if (!resolved.DATABASE_URL)
    throw new OperatorError("DATABASE_URL is not set: npm start brings its own database.");
  const given = parseEnvironment(migratorEnvironment, resolved);
  return Object.freeze({ ...given, production: given.NODE_ENV === "production", environment: resolved });
}

/** The password key stays in the shell and the code key goes to SQL, so neither can be made from the other. */
function derivedKey(pepperBytes: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", pepperBytes, Buffer.alloc(0), `latchkey ${use} key`, 32));
}

/** Outside production, what is not given is made once and kept in LATCHKEY_HOME. In production it stays missing. */
function withMadeSecrets(env: Environment): Environment {
  const given = readSecretFiles(env);
  if (given.NODE_ENV === "production") return given;
  const made: Environment = { ...given };
  const home = homeDirectory(given);
  const fill = (name: string, make: () => string) => (made[name] ||= loadOrCreateSecret(home, name, make));
  fill("ADMIN_SECRET", randomSecret);
  fill("HASH_PEPPER", () => randomBytes(32).toString("base64"));
  fill("JWT_KEYS", createSigningKeys);
  if (given.DATABASE_URL) {
    for (const role of ["server", "graphql", "worker"]) {
      made[`${role.toUpperCase()}_DATABASE_URL`] ||= derivedUrl(given.DATABASE_URL, home, `latchkey_${role}`);
    }
  }
  return made;
}

function derivedUrl(databaseUrl: string, home: string, role: string): string {
  const { DATABASE_URL } = parseEnvironment(z.object({ DATABASE_URL: url }), { DATABASE_URL: databaseUrl });
  const derived = new URL(DATABASE_URL);
  derived.username = role;
  derived.password = loadOrCreateSecret(home, `${role}.password`, randomSecret);
  return derived.href;
}
