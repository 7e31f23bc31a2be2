import type pg from "pg";
import type { WriteOfField } from "../../hasura/writes/written_rows.ts";

/** What one root field of an admin's mutation changed, for the log: ids and names, and settings without secrets. */
export interface Change {
  /** The root field: update_settings_configuration_by_pk, disable_account. */
  action: string;
  /** How many rows it wrote. */
  rows: number;
  /** The primary keys of the first rows, and the ids among the arguments. */
  targets: string[];
  /** Old and new values of settings; null: the default. */
  settings?: SettingChange[];
}

interface SettingChange {
  key: string;
  old: unknown;
  new: unknown;
}

/** How many targets a line names. */
const maxTargets = 20;
/** Characters of a setting's value in a line. */
const maxValueLength = 2_000;

/**
 * Reads what settings.remember_change has written into the transaction, and forgets it, so that the changes of the next
 * root field come alone.
 * @returns JSON; undefined if the statement wrote another table
 */
export async function readSettingChanges(client: pg.ClientBase, { table }: WriteOfField): Promise<string | undefined> {
  if (table !== "settings_configuration") return undefined;
  const [{ rows }] = await Promise.all([
    client.query<{ changes: string | null }>("select current_setting('latchkey.setting_changes', true) as changes"),
    client.query("set local latchkey.setting_changes to ''"),
  ]);
  return rows[0]?.changes ?? undefined;
}

/** @param rows that the statement wrote @param settingChanges of readSettingChanges */
export function toChange(
  { action, table, isOwn, primaryKey, args }: WriteOfField,
  rows: readonly object[],
  settingChanges?: string,
): Change {
  const keys = rows
    .slice(0, maxTargets)
    .map((row) => keyOf(table, primaryKey, row as Record<string, unknown>))
    // A key of the application's may be a name; a function's row may have none.
    .filter((key) => (isOwn && key !== "") || isId(key))
    // An invitation's key is a phone.
    .map((key) => (isId(key) ? key : withoutPersons(key)));
  const targets = [...new Set([...idsIn(args), ...keys])].slice(0, maxTargets);
  const settings = settingChanges ? (JSON.parse(settingChanges) as SettingChange[]).map(withoutSecrets) : [];
  return { action, rows: rows.length, targets, ...(settings.length > 0 && { settings }) };
}

/** A limit is logged without whom it counts: that is a phone, an email address or a client. */
function keyOf(table: string, primaryKey: readonly string[], row: Record<string, unknown>): string {
  const key = primaryKey.map((name) => String(row[name])).join(" ");
  return table === "platform_rate_limit" ? (key.split(":", 1)[0] ?? "") : key;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isId = (key: string): boolean => uuid.test(key) || /^\d+$/.test(key);

/** The ids among arguments and their members: other arguments may be phones. */
function idsIn(args: unknown): string[] {
  const valuesOf = (value: unknown): unknown[] =>
    typeof value === "object" && value !== null ? Object.values(value as Record<string, unknown>) : [];
  const values = valuesOf(args);
  const all = [...values, ...values.flatMap((value) => (Array.isArray(value) ? [] : valuesOf(value)))];
  return all.filter((value): value is string => typeof value === "string" && uuid.test(value));
}

/** Holds phones and the codes that they accept. */
const secretSetting = "OTP_TEST_NUMBERS";

function withoutSecrets({ key, old, new: value }: SettingChange): SettingChange {
  if (key === secretSetting) return { key, old: "not logged", new: "not logged" };
  return { key, old: loggedValue(old), new: loggedValue(value) };
}

/** A value without what it may hold of persons and vendors: phones, and what an address has behind its host. */
function loggedValue(value: unknown): unknown {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "string" ? withoutPersons(member) : member,
  );
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : (JSON.parse(text) as unknown);
}

const address = /(https?:\/\/[^/?#\s]+)[/?#]\S*/g;
/** With a plus, or of eleven digits or more: no limit is written with so many. */
const phone = /\+\d{5,}|\d{11,}/g;

const withoutPersons = (text: string): string =>
  text.replace(address, "$1/…").replace(phone, (digits) => `…${digits.slice(-2)}`);
