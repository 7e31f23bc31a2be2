import { existsSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import {
  findMisspelled,
  isSet,
  parseVariables,
  secretNames,
  type Environment,
  type Problems,
} from "../../config/environment.ts";
import { resolveSecrets } from "../../config/secrets/resolve_secrets.ts";
import { homeDirectory, peekSecret } from "../../config/secrets/secret_store.ts";
import { parseDatabaseAddress } from "../../runtime/database/address.ts";
import { allVariables, environmentSchemas } from "../../config/variables.ts";

export type ProcessName = keyof typeof environmentSchemas;
export const processNames = Object.keys(environmentSchemas) as ProcessName[];

/** What a process would have for one of its variables. */
export interface VariableInForce {
  name: string;
  /** As it may be shown; undefined: it is not set, and has no default. */
  value: string | undefined;
  source: string;
}

/**
 * What a process would start with, and every fault of its environment. Nothing is created or stored, and no fault or
 * value holds a secret.
 */
export function inForce(name: ProcessName, env: Environment): { variables: VariableInForce[]; problems: Problems } {
  const schema: z.ZodObject = environmentSchemas[name];
  const problems: Problems = new Map();
  const names = Object.keys(schema.shape);
  findMisspelled(env, names, allVariables, problems);
  // Outside production npm start runs its own database.
  const needsDatabase = env.NODE_ENV !== "production" && !isSet(env, "DATABASE_URL");
  const complete = needsDatabase ? { ...env, DATABASE_URL: "postgres://npm-start@127.0.0.1/latchkey" } : env;
  const resolved = resolveSecrets(schema, complete, problems, peekSecret);
  parseVariables(schema, resolved, problems);
  const variables = names.map((variable): VariableInForce => {
    const value = resolved[variable] || undefined;
    const source = sourceOf(variable, env);
    if (problems.has(variable)) return { name: variable, value: "refused, see below", source };
    if (value !== undefined)
      // The port of that database is not known before its start.
      return { name: variable, value: source === ownDatabase ? undefined : shown(variable, value), source };
    const preset = defaultOf(schema.shape[variable] as Schema, variable, env);
    return { name: variable, value: preset, source: preset === undefined ? "not set" : "default" };
  });
  return { variables, problems };
}

const ownDatabase = "npm start's own database; without npm start set DATABASE_URL";

function sourceOf(name: string, env: Environment): string {
  if (env.NODE_ENV === "production" && !isSet(env, name)) return "not set";
  if (env[`${name}_FILE`]) return `${name}_FILE`;
  if (env[name]) return "environment";
  if (name === "DATABASE_URL") return ownDatabase;
  if (name.endsWith("_DATABASE_URL")) return isSet(env, "DATABASE_URL") ? "DATABASE_URL" : ownDatabase;
  return existsSync(join(homeDirectory(env), "secrets", name)) ? "LATCHKEY_HOME" : "made at the start";
}

/** A value without what it may hold of secrets. */
function shown(name: string, value: string): string {
  if (/DATABASE_(DIRECT_)?URL$/.test(name)) return withoutPassword(value);
  if (secretNames.includes(name)) return "hidden";
  const url = /^https?:/i.test(value) ? URL.parse(value) : null;
  const text = url && (url.username || url.password || url.search) ? `${url.origin}${url.pathname}` : value;
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Role, hosts, database and TLS of an address. */
function withoutPassword(url: string): string {
  const { hosts, tlsMode, parameters } = parseDatabaseAddress(url);
  const names = hosts.map(({ host, port }) => `${host}:${port}`).join(",");
  return `${parameters.user ?? ""}@${names}/${parameters.database ?? ""}, sslmode ${tlsMode}`;
}

/** The part of a zod schema's definition that its default is in. */
interface Schema {
  def: { type: string; innerType?: Schema; in?: Schema; defaultValue?: unknown };
}

function defaultOf(schema: Schema, name: string, env: Environment): string | undefined {
  const isProduction = env.NODE_ENV === "production";
  if (name === "DRAIN_DELAY_MS") return isProduction ? "5000" : "0";
  if (name === "DEMO") return isProduction ? "off" : "on";
  for (let layer: Schema | undefined = schema; layer; layer = layer.def.innerType ?? layer.def.in)
    if (layer.def.type === "default") {
      const { defaultValue } = layer.def;
      return Array.isArray(defaultValue) ? "none" : String(defaultValue);
    }
  return undefined;
}
