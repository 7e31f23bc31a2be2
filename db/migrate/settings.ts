import type pg from "pg";
import type { MigratorConfig } from "../../config/config.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { unknownSettings } from "./unknown_settings.ts";

interface Definition {
  key: string;
  kind: string;
  stored: boolean;
}

/** The provider that is stored outside production if there is none. */
const consoleProvider = JSON.stringify({
  providerToUse: "console",
  template: "Your code is {{code}}. It is valid for {{minutes}} minutes.",
});

/**
 * Writes the settings of the environment that differ from what the environment wrote last, so that the next deployment
 * does not undo an operator's change by SQL. Result: a line for each setting written, and a warning of a provider that
 * production refuses.
 */
export async function storeEnvironmentSettings(client: pg.Client, config: MigratorConfig): Promise<string[]> {
  const { rows } = await client.query<Definition>(
    `select d.key, d.kind, exists (select from settings.configuration c where c.key = d.key) as stored
     from private.setting_definition d order by d.key`,
  );
  const settings = rows.flatMap(({ key, kind, stored }) => {
    const needsProvider = kind === "provider" && !stored && !config.production;
    const text = config.environment[key] || (needsProvider ? consoleProvider : "");
    return text === "" ? [] : [{ key, kind, text, value: settingValue(kind, text) }];
  });
  const faults = unknownSettings(
    config.environment,
    rows.map(({ key }) => key),
  );
  for (const { key, value } of settings) {
    const fault = value === undefined ? "must be JSON" : await faultOf(client, key, value);
    if (fault !== null) faults.push(`${key}: ${fault}`);
  }
  if (faults.length > 0) throw new OperatorError(faults.join("\n"));
  const changed = await storeSettings(
    client,
    settings.map(({ key, value = "" }) => ({ key, value })),
  );
  const lines = settings.flatMap(({ key, kind, text }) =>
    // The line goes to the log, which must not contain the codes of test numbers.
    changed.has(key) ? [`setting ${key} = ${kind === "test numbers" ? "…" : text}`] : [],
  );
  return [...lines, ...(await warnOfProvider(client, config))];
}

/**
 * Warns of a provider that production refuses and that was stored before NODE_ENV became production: PostgreSQL
 * validates a setting only when it is written.
 * @throws OperatorError when the environment sets that provider
 */
async function warnOfProvider(client: pg.Client, { environment }: MigratorConfig): Promise<string[]> {
  const { rows } = await client.query<{ fault: string | null; from_environment: boolean }>(
    `select private.provider_in_production_fault() as fault, d.environment_value is not distinct from c.value as from_environment
     from private.setting_definition d left join settings.configuration c using (key) where d.key = 'OTP_PROVIDER'`,
  );
  const [found] = rows;
  if (!found?.fault) return [];
  if (environment.OTP_PROVIDER && found.from_environment) throw new OperatorError(`OTP_PROVIDER: ${found.fault}`);
  return [`warning: OTP_PROVIDER: ${found.fault}. Nothing is sent until you set another.`];
}

/**
 * Returns what is wrong with a value; null for a valid one, and for one that an earlier migration has written already.
 */
async function faultOf(client: pg.Client, key: string, value: string): Promise<string | null> {
  const { rows } = await client.query<{ fault: string | null }>(
    `select private.setting_fault(d.key, $2) as fault from private.setting_definition d
     where d.key = $1 and d.environment_value is distinct from $2`,
    [key, value],
  );
  return rows[0]?.fault ?? null;
}

/** Converts text of the environment to JSON; undefined if the setting needs JSON and the text is not JSON. */
function settingValue(kind: string, text: string): string | undefined {
  if (kind.startsWith("integer")) return /^[0-9]+$/.test(text) ? String(BigInt(text)) : JSON.stringify(text);
  if (kind === "origins" || kind === "app hashes" || kind === "channels")
    return JSON.stringify(text.split(",").map((item) => item.trim()));
  if (!["provider", "test numbers", "fraud rule"].includes(kind)) return JSON.stringify(text);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Writes all settings in one statement, because PostgreSQL compares them with each other at the end of a statement and
 * some are valid only together. Result: the keys whose value differs from the one that the environment wrote last.
 */
async function storeSettings(client: pg.Client, settings: { key: string; value: string }[]): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `update private.setting_definition d set environment_value = g.value
     from unnest($1::text[], $2::jsonb[]) g (key, value)
     where d.key = g.key
       -- A setting without a default is also written if its row is missing: without it nothing is sent.
       and (d.environment_value is distinct from g.value
         or d.default_value is null and not exists (select from settings.configuration c where c.key = d.key))
     returning d.key`,
    [settings.map(({ key }) => key), settings.map(({ value }) => value)],
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
