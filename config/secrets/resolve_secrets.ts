import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { databaseUrl, withLogin } from "../database_url.ts";
import { readSecretFiles, type Environment, type Problems } from "../environment.ts";
import { homeDirectory, loadOrCreateSecret, randomSecret } from "./secret_store.ts";
import { createSigningKeys } from "./signing_keys.ts";

/**
 * Reads the secrets that the process has in files. Outside production, creates missing ones once and stores them in
 * LATCHKEY_HOME, and derives missing addresses from DATABASE_URL. In production they stay missing.
 * @param load reads a stored secret
 */
export function resolveSecrets(
  schema: z.ZodObject,
  env: Environment,
  problems: Problems,
  load = loadOrCreateSecret,
): Environment {
  const names = Object.keys(schema.shape);
  const resolved = readSecretFiles(env, problems, names);
  if (resolved.NODE_ENV === "production") return resolved;
  const isMissing = (name: string) => names.includes(name) && !resolved[name] && !problems.has(name);
  const home = homeDirectory(resolved);
  for (const [name, create] of Object.entries(localSecrets))
    // An operator who names the admins has chosen against a secret without a name.
    if (isMissing(name) && !(name === "ADMIN_SECRET" && resolved.ADMIN_SECRETS))
      resolved[name] = load(home, name, create);
  const missingUrls = ["server", "graphql", "worker"].filter((role) => isMissing(`${role.toUpperCase()}_DATABASE_URL`));
  if (missingUrls.length === 0) return resolved;
  // DATABASE_URL is read only if it is needed: a server or worker that has its own addresses must not hold the
  // migrator's.
  const { DATABASE_URL } = readSecretFiles(env, problems, ["DATABASE_URL"]);
  if (!DATABASE_URL && !names.includes("DATABASE_URL") && !problems.has("DATABASE_URL")) return resolved;
  const { success: isValid, error } = databaseUrl.safeParse(DATABASE_URL);
  if (DATABASE_URL && !isValid && !problems.has("DATABASE_URL"))
    problems.set("DATABASE_URL", `DATABASE_URL: ${error.issues[0]?.message ?? ""}`);
  for (const role of missingUrls) {
    // A fault of DATABASE_URL is reported once, and not again for each address that is derived from it.
    const source = DATABASE_URL && isValid ? DATABASE_URL : "postgres://unknown";
    const password = load(home, `latchkey_${role}.password`, randomSecret);
    resolved[`${role.toUpperCase()}_DATABASE_URL`] = withLogin(source, `latchkey_${role}`, password);
  }
  return resolved;
}

const localSecrets = {
  ADMIN_SECRET: randomSecret,
  HASH_PEPPER: () => randomBytes(32).toString("base64"),
  JWT_KEYS: createSigningKeys,
};
