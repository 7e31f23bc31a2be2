import type { Json, Setting } from "./documents/setting_documents.ts";
import { formatNumber, formatSeconds } from "./format.ts";
import { Failure } from "./graphql_access.ts";

/** A value as it is typed: text without quotes, a record as JSON. */
export const textOf = (value: Json): string => {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
};

/**
 * What was typed, as the value to store. Only its form is looked at: which values are valid is the database's to say.
 * @throws Failure for a record that is no JSON
 */
export function parseValue({ kind, value, default_value }: Setting, text: string): Json {
  const typed = text.trim();
  if (kind.startsWith("integer") && /^-?\d+(\.\d+)?$/.test(typed)) return Number(typed);
  if (typeof value !== "object" && typeof default_value !== "object") return typed;
  try {
    return JSON.parse(typed) as Json;
  } catch (error) {
    throw new Failure(`This is no JSON: ${error instanceof Error ? error.message : ""}`);
  }
}

/** What may be typed. */
export function boundsOf({ kind, minimum, maximum }: Setting): string {
  const orOff = kind.endsWith("or off") && kind !== "on or off" ? ", or off" : "";
  if (kind.startsWith("integer"))
    return `A whole number from ${formatNumber(Number(minimum))} to ${formatNumber(Number(maximum))}${orOff}`;
  if (kind.startsWith("limit")) return `Requests/seconds: 1 to 1000 requests in 1 to 2592000 seconds${orOff}`;
  if (kind === "on or off") return "on or off";
  if (kind === "reuse policy") return "revoke, refuse or same-client";
  return "A record in JSON";
}

/** A value for reading: "5/900" is also shown in words, and a record in short. */
export function showValue({ kind, value, description }: Setting): string {
  if (value === null) return "none";
  if (kind.startsWith("limit") && typeof value === "string" && value.includes("/")) {
    const [requests = "", seconds = ""] = value.split("/");
    return `${requests} in ${formatSeconds(Number(seconds))}`;
  }
  if (typeof value === "number")
    return /seconds\b/.test(description) && value > 0 ? formatSeconds(value) : formatNumber(value);
  if (typeof value !== "object") return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
