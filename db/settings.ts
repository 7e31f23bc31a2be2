import type pg from "pg";
import type { MigratorConfig } from "../config/config.ts";
import { OperatorError } from "../runtime/operator_error.ts";

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
  const lines: string[] = [];
  for (const { key, kind } of rows) {
    const text =
      config.environment[key] || (kind === "provider" && !config.production ? consoleProvider : "");
    if (text === "") continue;
    if (await storeSetting(client, key, settingValue(key, kind, text)))
      lines.push(`setting ${key} = ${text}`);
  }
  return lines;
}

function settingValue(key: string, kind: string, text: string): string {
  if (kind.startsWith("integer")) return /^[0-9]+$/.test(text) ? String(BigInt(text)) : JSON.stringify(text);
  if (kind !== "provider" && kind !== "fraud rule") return JSON.stringify(text);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    throw new OperatorError(`${key}: must be JSON`);
  }
}

async function storeSetting(client: pg.Client, key: string, value: string): Promise<boolean> {
  const changed = await client.query(
    `update private.setting_definition d set environment_value = $2
     where d.key = $1 and d.environment_value is distinct from $2`,
    [key, value],
  );
  if (changed.rowCount === 0) return false;
  try {
    await client.query(
      `insert into settings.configuration (key, value) values ($1, $2)
       on conflict (key) do update set value = excluded.value`,
      [key, value],
    );
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    throw code === "23514" ? new OperatorError(message, { cause: error }) : error;
  }
  return true;
}
