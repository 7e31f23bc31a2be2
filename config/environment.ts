import { readFileSync } from "node:fs";
import type { z } from "zod";
import { OperatorError } from "../runtime/operator_error.ts";

export type Environment = Record<string, string | undefined>;

const secretNames = [
  ...["DATABASE_URL", "SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"],
  ...["SERVER_DATABASE_DIRECT_URL", "GRAPHQL_DATABASE_DIRECT_URL", "WORKER_DATABASE_DIRECT_URL"],
  ...["ADMIN_SECRET", "AUTH_WEBHOOK_SECRET", "HASH_PEPPER", "JWT_KEYS"],
  "SMS_HTTP_TOKEN",
];

/** Gives every secret X for which the environment has X_FILE the contents of that file, so that secrets can be mounted. */
export function withFiles(env: Environment): Environment {
  const read: Environment = {};
  for (const name of secretNames) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    try {
      read[name] = readFileSync(path, "utf8").trim();
    } catch (error) {
      throw new OperatorError(`${name}_FILE names a file that cannot be read: ${(error as Error).message}`);
    }
  }
  return { ...env, ...read };
}

const howToGenerate: Record<string, string> = {
  ADMIN_SECRET: "generate one with: openssl rand -base64 32",
  HASH_PEPPER:
    "generate one with: openssl rand -base64 32, or restore the one that this database's passwords were hashed with",
  JWT_KEYS: "generate a key set with: npm run --silent make:jwt-keys",
};

/** What to do about a variable that is missing. */
function notSet(name: string): string {
  const role = name.startsWith("DATABASE") ? "migrator" : `latchkey_${name.split("_", 1)[0]?.toLowerCase()}`;
  const advice = howToGenerate[name] ?? `set it to postgres://${role}:<password>@<host>:5432/<database>`;
  const file = secretNames.includes(name) ? ` (${name}_FILE may name a file that holds it)` : "";
  return `${name} is not set: ${advice}${file}`;
}

/** Parses the environment once, reports every fault at once, and never repeats a value: it may be a secret. */
export function parseEnvironment<T extends z.ZodType>(schema: T, env: Environment): z.output<T> {
  // An empty variable is how shells and compose files say "not set".
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => {
    const name = path.join(".");
    return name in given ? `  ${name}: ${message}` : `  ${notSet(name)}`;
  });
  throw new OperatorError(`The environment does not allow a start:\n${faults.join("\n")}`);
}
