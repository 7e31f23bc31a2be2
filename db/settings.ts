import type pg from "pg";
import type { MigratorConfig } from "../config/config.ts";
import { OperatorError } from "../runtime/operator_error.ts";

interface Definition {
  key: string;
  kind: string;
}

/** What the console provider says where nobody has chosen one: without a production it is the sensible default. */
const consoleProvider = JSON.stringify({
  providerToUse: "console",
  template: "Your code is {{code}}. It is valid for {{minutes}} minutes.",
});

/**
 * Writes the settings that the environment gives, when they differ from what it wrote last:
 * an operator's change by SQL is not undone by the next deployment. Result: a line for each one written.
 */
export async function storeEnvironmentSettings(client: pg.Client, config: MigratorConfig): Promise<string[]> {
  const { rows } = await client.query<Definition>(
    "select key, kind from private.setting_definition order by key",
  );
  const lines: string[] = [];
  for (const { key, kind } of rows) {
    const given =
      config.environment[key] || (kind === "provider" && !config.production ? consoleProvider : "");
    if (given === "") continue;
    if (await storeSetting(client, key, settingValue(key, kind, given)))
      lines.push(`setting ${key} = ${given}`);
  }
  return lines;
}

function settingValue(key: string, kind: string, given: string): string {
  if (kind.startsWith("integer"))
    return /^[0-9]+$/.test(given) ? String(BigInt(given)) : JSON.stringify(given);
  if (kind !== "provider") return JSON.stringify(given);
  try {
    return JSON.stringify(JSON.parse(given));
  } catch {
    throw new OperatorError(`${key}: must be JSON`);
  }
}

async function storeSetting(client: pg.Client, key: string, value: string): Promise<boolean> {
  const noted = await client.query(
    `update private.setting_definition d set environment_value = $2
     where d.key = $1 and d.environment_value is distinct from $2`,
    [key, value],
  );
  if (noted.rowCount === 0) return false;
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
