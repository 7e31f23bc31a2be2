import { readFileSync } from "node:fs";
import type { z } from "zod";
import { OperatorError } from "../runtime/operator_error.ts";
import { nearest } from "./nearest.ts";
import { weakSecrets } from "./secrets/secret_strength.ts";

export type Environment = Record<string, string | undefined>;

export const secretNames: readonly string[] = [
  "DATABASE_URL",
  "SERVER_DATABASE_URL",
  "GRAPHQL_DATABASE_URL",
  "WORKER_DATABASE_URL",
  "SERVER_DATABASE_DIRECT_URL",
  "GRAPHQL_DATABASE_DIRECT_URL",
  "WORKER_DATABASE_DIRECT_URL",
  "ADMIN_SECRET",
  "ADMIN_SECRETS",
  "AUTH_WEBHOOK_SECRET",
  "HASH_PEPPER",
  "JWT_KEYS",
  "KEY_ENCRYPTION_KEY",
  "RESOURCE_SERVERS",
  "EVENT_SECRETS",
  "SMS_HTTP_TOKEN",
  "SMS_HTTP_SIGNING_SECRET",
  "TWILIO_AUTH_TOKEN",
  "TWILIO_API_SECRET",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "VONAGE_API_SECRET",
  "SMTP_URL",
  "VONAGE_SIGNATURE_SECRET",
  "TURNSTILE_SECRET_KEY",
  "HCAPTCHA_SECRET_KEY",
  "RECAPTCHA_SECRET_KEY",
];

export const isSet = (env: Environment, name: string): boolean => Boolean(env[name]) || Boolean(env[`${name}_FILE`]);

/** The first problem that was found with each variable, by its name. */
export type Problems = Map<string, string>;

/**
 * Replaces each secret X by the contents of the file that X_FILE names, so that secrets can be mounted as files.
 * @param problems gets every file that cannot be read or is empty, and every secret that is set twice
 * @param names the secrets to read; default: all
 */
export function readSecretFiles(env: Environment, problems: Problems = new Map(), names = secretNames): Environment {
  const resolved = { ...env };
  for (const name of names.filter((candidate) => secretNames.includes(candidate))) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    resolved[`${name}_FILE`] = undefined;
    if (env[name]) {
      problems.set(name, `${name} and ${name}_FILE are both set: unset one of them`);
      continue;
    }
    try {
      resolved[name] = readFileSync(path, "utf8").trim();
      // An empty secret would count as not set, and outside production a new one would be created.
      if (resolved[name] === "") problems.set(name, `${name}_FILE names an empty file`);
    } catch (error) {
      problems.set(name, `${name}_FILE names a file that cannot be read: ${(error as Error).message}`);
    }
  }
  return resolved;
}

/**
 * Adds a problem for each variable whose name is nearly that of a variable of the process that is not set: a typing
 * error would otherwise leave the default in force silently.
 * @param names the variables of the process
 * @param others the variables of the other processes, which may be set as well
 */
export function findMisspelled(
  env: Environment,
  names: readonly string[],
  others: readonly string[],
  problems: Problems,
): void {
  const withFile = (all: readonly string[]) => [
    ...all,
    ...all.filter((name) => secretNames.includes(name)).map((name) => `${name}_FILE`),
  ];
  // Short names are near too many others.
  const unset = withFile(names).filter((name) => name.length >= 6 && !isSet(env, name.replace(/_FILE$/, "")));
  const known = new Set(withFile([...names, ...others]));
  if (unset.length === 0) return;
  for (const name of Object.keys(env).filter((one) => env[one] && one.length <= 60 && !known.has(one))) {
    const { name: meant, changes } = nearest(name, unset);
    if (changes <= 2) problems.set(name, `${name} is not a variable of Latchkey: did you mean ${meant}?`);
  }
}

const howToGenerate: Record<string, string> = {
  DATABASE_URL: "set it to the URL of the migrator's role, or use npm start, which runs its own database",
  ADMIN_SECRET: "generate one with: openssl rand -base64 32, or set ADMIN_SECRETS",
  HASH_PEPPER:
    "generate one with: openssl rand -base64 32, or restore the one that this database's passwords were hashed with",
  JWT_KEYS: "generate a key set with: npm run --silent make:jwt-keys, or set KEY_ENCRYPTION_KEY (docs/operations.md)",
  KEY_ENCRYPTION_KEY: "set it to the one of the servers, or generate one with: openssl rand -base64 32",
};

/** Describes a missing variable and how to set it. */
function describeMissing(name: string): string {
  const role = `latchkey_${name.split("_", 1)[0]?.toLowerCase()}`;
  const advice = howToGenerate[name] ?? `set it to postgres://${role}:<password>@<host>:5432/<database>`;
  const file = secretNames.includes(name) ? ` (${name}_FILE may name a file that holds it)` : "";
  return `${name} is not set: ${advice}${file}`;
}

/**
 * Parses the variables of a process. An empty variable counts as not set.
 * @param problems gets every invalid or missing variable, and no value: it may be a secret
 */
export function parseVariables<T extends z.ZodObject>(
  schema: T,
  env: Environment,
  problems: Problems,
): z.output<T> | undefined {
  // Shells and compose files set a variable to an empty string when it has no value.
  const variables: Environment = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const add = (name: string, problem: string) => {
    if (!problems.has(name)) problems.set(name, problem);
  };
  const { data, error } = schema.safeParse(variables, {
    error: (issue) => (issue.code === "invalid_value" ? `must be one of ${issue.values.join(", ")}` : undefined),
  });
  for (const { path, message } of error?.issues ?? []) {
    // Further parts of the path are places in the variable's value.
    const name = String(path[0]);
    add(name, name in variables ? `${name}: ${message}` : describeMissing(name));
  }
  if (env.NODE_ENV === "production")
    for (const [name, weakness] of weakSecrets(variables)) if (name in schema.shape) add(name, `${name}: ${weakness}`);
  return data;
}

/** @throws OperatorError that lists every problem */
export function requireNone(problems: Problems): void {
  if (problems.size > 0)
    throw new OperatorError(
      `The environment is invalid:\n${[...problems.values()].map((line) => `  ${line}`).join("\n")}`,
    );
}
