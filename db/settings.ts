import type pg from "pg";
import type { MigratorConfig } from "../config/config.ts";
import { OperatorError } from "../runtime/operator_error.ts";
import { unknownSettings } from "./unknown_settings.ts";

interface Definition {
  key: string;
  kind: string;
}

/** The provider outside production where OTP_PROVIDER is not set. */
const consoleProvider = JSON.stringify({
  providerToUse: "console",
  template: "Your code is {{code}}. It is valid for {{minutes}} minutes.",
});

/**
 * Writes the settings of the environment that differ from what the environment wrote last, so that the next deployment does not
 * undo an operator's change by SQL. Result: a line for each setting written.
 */
export async function storeEnvironmentSettings(client: pg.Client, config: MigratorConfig): Promise<string[]> {
  const { rows } = await client.query<Definition>(
    "select key, kind from private.setting_definition order by key",
  );
  const given = rows.flatMap(({ key, kind }) => {
    const text =
      config.environment[key] || (kind === "provider" && !config.production ? consoleProvider : "");
    return text === "" ? [] : [{ key, kind, text, value: settingValue(kind, text) }];
  });
  const faults = unknownSettings(
    config.environment,
    rows.map(({ key }) => key),
  );
  for (const { key, value } of given) {
    const fault = value === undefined ? "must be JSON" : await faultOf(client, key, value);
    if (fault !== null) faults.push(`${key}: ${fault}`);
  }
  if (faults.length > 0) throw new OperatorError(faults.join("\n"));
  const changed = await storeSettings(
    client,
    given.map(({ key, value = "" }) => ({ key, value })),
  );
  return given.flatMap(({ key, kind, text }) =>
    // Migrations are logged, and no log holds a code.
    changed.has(key) ? [`setting ${key} = ${kind === "test numbers" ? "…" : text}`] : [],
  );
}

/** What is wrong with a value that the migration would write; null for one that it would not, because it wrote it before. */
async function faultOf(client: pg.Client, key: string, value: string): Promise<string | null> {
  const { rows } = await client.query<{ fault: string | null }>(
    `select private.setting_fault(d.key, $2) as fault from private.setting_definition d
     where d.key = $1 and d.environment_value is distinct from $2`,
    [key, value],
  );
  return rows[0]?.fault ?? null;
}

/** Undefined for text that is not JSON and has to be. */
function settingValue(kind: string, text: string): string | undefined {
  if (kind.startsWith("integer")) return /^[0-9]+$/.test(text) ? String(BigInt(text)) : JSON.stringify(text);
  if (kind === "origins" || kind === "app hashes")
    return JSON.stringify(text.split(",").map((item) => item.trim()));
  if (kind !== "provider" && kind !== "test numbers") return JSON.stringify(text);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * In one statement, because PostgreSQL compares settings with each other at its end: a deployment may change several that only fit
 * together. Result: the keys whose value differs from the one that the environment wrote last.
 */
async function storeSettings(
  client: pg.Client,
  given: { key: string; value: string }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `update private.setting_definition d set environment_value = g.value
     from unnest($1::text[], $2::jsonb[]) g (key, value)
     where d.key = g.key and d.environment_value is distinct from g.value
     returning d.key`,
    [given.map(({ key }) => key), given.map(({ value }) => value)],
  );
  const keys = rows.map(({ key }) => key);
  try {
    await client.query(
      `insert into settings.configuration (key, value)
       select d.key, d.environment_value from private.setting_definition d where d.key = any ($1) order by d.key
       on conflict (key) do update set value = excluded.value`,
      [keys],
    );
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    throw code === "23514" ? new OperatorError(message, { cause: error }) : error;
  }
  return new Set(keys);
}
