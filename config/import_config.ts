import { z } from "zod";
import { addDatabaseOfNpmStart } from "./admin_database.ts";
import { deriveKey } from "./secrets/derived_keys.ts";
import { pepper } from "./fields.ts";
import { parseVariables, requireNone, type Environment, type Problems } from "./environment.ts";
import { databaseTls, databaseUrl, requireTls } from "./database_url.ts";
import { resolveSecrets } from "./secrets/resolve_secrets.ts";

const importEnvironment = requireTls(
  z.object({
    NODE_ENV: z.string().optional(),
    DATABASE_TLS: databaseTls,
    DATABASE_URL: databaseUrl,
    HASH_PEPPER: pepper,
  }),
);

export interface ImportConfig {
  /** The migrator's address. Outside production it may be the one that npm start has stored in LATCHKEY_HOME. */
  databaseUrl: string;
  passwordKey: Buffer;
  /** For the fingerprints of imported lines. */
  importKey: Buffer;
  pepperFingerprint: Buffer;
}

/** Parses the environment of npm run import. @throws OperatorError that lists every invalid or missing variable */
export function importConfig(env: Environment): ImportConfig {
  const problems: Problems = new Map();
  const variables = resolveSecrets(importEnvironment, addDatabaseOfNpmStart(env), problems);
  const parsed = parseVariables(importEnvironment, variables, problems);
  requireNone(problems);
  if (!parsed) throw new Error("an invalid environment has problems");
  const { DATABASE_URL, HASH_PEPPER } = parsed;
  return {
    databaseUrl: DATABASE_URL,
    passwordKey: deriveKey(HASH_PEPPER, "password"),
    importKey: deriveKey(HASH_PEPPER, "import"),
    pepperFingerprint: deriveKey(HASH_PEPPER, "fingerprint"),
  };
}
