import { readFileSync } from "node:fs";
import type { z } from "zod";
import { OperatorError } from "../runtime/operator_error.ts";

export type Environment = Record<string, string | undefined>;

const secretNames = [
  ...["DATABASE_URL", "SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"],
  ...["SERVER_DATABASE_DIRECT_URL", "GRAPHQL_DATABASE_DIRECT_URL", "WORKER_DATABASE_DIRECT_URL"],
  ...["ADMIN_SECRET", "AUTH_WEBHOOK_SECRET", "HASH_PEPPER", "JWT_KEYS"],
  ...["SMS_HTTP_TOKEN", "SMS_HTTP_SIGNING_SECRET"],
  ...["TWILIO_AUTH_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "VONAGE_API_SECRET", "SMTP_URL"],
  "VONAGE_SIGNATURE_SECRET",
];

/**
 * Replaces each secret X by the contents of the file that X_FILE names, so that secrets can be mounted as files.
 * @throws OperatorError when a file cannot be read
 */
export function readSecretFiles(env: Environment): Environment {
  const fromFiles: Environment = {};
  for (const name of secretNames) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    try {
      fromFiles[name] = readFileSync(path, "utf8").trim();
    } catch (error) {
      throw new OperatorError(`${name}_FILE names a file that cannot be read: ${(error as Error).message}`);
    }
  }
  return { ...env, ...fromFiles };
}

const howToGenerate: Record<string, string> = {
  ADMIN_SECRET: "generate one with: openssl rand -base64 32",
  HASH_PEPPER:
    "generate one with: openssl rand -base64 32, or restore the one that this database's passwords were hashed with",
  JWT_KEYS: "generate a key set with: npm run --silent make:jwt-keys",
};

/** Describes a missing variable and how to set it. */
function describeMissing(name: string): string {
  const role = name.startsWith("DATABASE") ? "migrator" : `latchkey_${name.split("_", 1)[0]?.toLowerCase()}`;
  const advice = howToGenerate[name] ?? `set it to postgres://${role}:<password>@<host>:5432/<database>`;
  const file = secretNames.includes(name) ? ` (${name}_FILE may name a file that holds it)` : "";
  return `${name} is not set: ${advice}${file}`;
}

/**
 * Parses the environment. An empty variable counts as not set.
 * @throws OperatorError that lists every invalid or missing variable, and no value: it may be a secret
 */
export function parseEnvironment<T extends z.ZodType>(schema: T, env: Environment): z.output<T> {
  // Shells and compose files set a variable to an empty string when it has no value.
  const variables = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const name = path.join(".");
    return name in variables ? `  ${name}: ${message}` : `  ${describeMissing(name)}`;
  });
  throw new OperatorError(`The environment is invalid:\n${problems.join("\n")}`);
}
