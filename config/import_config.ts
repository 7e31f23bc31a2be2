import { z } from "zod";
import { addDatabaseOfNpmStart } from "./admin_database.ts";
import { currentKey, deriveKeys, fingerprintsOf, type PepperKey } from "./secrets/derived_keys.ts";
import { peppers } from "./fields.ts";
import { parseVariables, requireNone, type Environment, type Problems } from "./environment.ts";
import { databaseTls, databaseUrl, requireTls } from "./database_url.ts";
import { resolveSecrets } from "./secrets/resolve_secrets.ts";

const importEnvironment = requireTls(
  z.object({
    NODE_ENV: z.string().optional(),
    DATABASE_TLS: databaseTls,
    DATABASE_URL: databaseUrl,
    HASH_PEPPER: peppers,
  }),
);

export interface ImportConfig {
  /** The migrator's address. Outside production it may be the one that npm start has stored in LATCHKEY_HOME. */
  databaseUrl: string;
  /** Of the current pepper. */
  passwordKey: PepperKey;
  /** For the fingerprints of imported lines. */
  importKey: Buffer;
  pepperFingerprints: Buffer[];
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
    passwordKey: currentKey(deriveKeys(HASH_PEPPER, "password")),
    importKey: currentKey(deriveKeys(HASH_PEPPER, "import")).key,
    pepperFingerprints: fingerprintsOf(HASH_PEPPER),
  };
}
