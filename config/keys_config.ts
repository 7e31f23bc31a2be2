import { z } from "zod";
import { addDatabaseOfNpmStart } from "./admin_database.ts";
import { databaseTls, databaseUrl, requireTls } from "./database_url.ts";
import { parseVariables, requireNone, type Environment, type Problems } from "./environment.ts";
import { keyEncryptionKeys } from "./fields.ts";
import { deriveKeys, type PepperKey } from "./secrets/derived_keys.ts";
import { resolveSecrets } from "./secrets/resolve_secrets.ts";

const keysEnvironment = requireTls(
  z.object({
    NODE_ENV: z.string().optional(),
    DATABASE_TLS: databaseTls,
    DATABASE_URL: databaseUrl,
    KEY_ENCRYPTION_KEY: keyEncryptionKeys,
  }),
);

/** Of KEY_ENCRYPTION_KEY: the keys that encrypt signing keys, the current one first. */
export const encryptionKeysOf = (keys: readonly Buffer[]): PepperKey[] => deriveKeys(keys, "signing key encryption");

/** Parses the environment of npm run keys. @throws OperatorError that lists every invalid or missing variable */
export function keysConfig(env: Environment): { databaseUrl: string; encryptionKeys: PepperKey[] } {
  const problems: Problems = new Map();
  const variables = resolveSecrets(keysEnvironment, addDatabaseOfNpmStart(env), problems);
  const parsed = parseVariables(keysEnvironment, variables, problems);
  requireNone(problems);
  if (!parsed) throw new Error("an invalid environment has problems");
  return { databaseUrl: parsed.DATABASE_URL, encryptionKeys: encryptionKeysOf(parsed.KEY_ENCRYPTION_KEY) };
}
