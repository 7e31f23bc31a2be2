import type { Json, Setting } from "../documents/setting_documents.ts";
import { formatNumber, formatSeconds } from "../format.ts";
import { Failure } from "../graphql_access.ts";

/** Formats a value as the operator types it: text without quotes, a record as JSON. */
export const textOf = (value: Json): string => {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
};

/**
 * Parses the typed text into the value to store. The database decides whether the value is valid.
 * @throws Failure for a record that is not JSON
 */
export function parseValue({ kind, value, default_value }: Setting, text: string): Json {
  const typed = text.trim();
  if (kind.startsWith("integer") && /^-?\d+(\.\d+)?$/.test(typed)) return Number(typed);
  if (typeof value !== "object" && typeof default_value !== "object") return typed;
  try {
    return JSON.parse(typed) as Json;
  } catch (error) {
    throw new Failure(`This is not JSON: ${error instanceof Error ? error.message : ""}`);
  }
}

/** The values of a setting that may have a few words alone; undefined for any other. */
export function valuesOf({ kind }: Setting): string[] | undefined {
  if (kind === "on or off") return ["on", "off"];
  return kind.startsWith("one of ") ? kind.slice("one of ".length).split(", ") : undefined;
}

/** Describes the valid values. */
export function boundsOf({ kind, minimum, maximum }: Setting): string {
  const orOff = kind.endsWith("or off") && kind !== "on or off" ? ", or off" : "";
  if (kind.startsWith("integer"))
    return `A whole number from ${formatNumber(Number(minimum))} to ${formatNumber(Number(maximum))}${orOff}`;
  if (kind.startsWith("limit")) return `Requests/seconds: 1 to 1000 requests in 1 to 2592000 seconds${orOff}`;
  if (kind === "on or off" || kind.startsWith("one of ")) return kind;
  return "A record in JSON";
}

/** Formats a value for display: "5/900" in words, and a long record cut short. */
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
