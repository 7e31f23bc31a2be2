import { limitExceeded, type Refusal } from "../../refusal.ts";
import { maxResponseBytes } from "../../request_limits.ts";

const tooLarge = limitExceeded(
  "maxResponseBytes",
  `The response is larger than ${maxResponseBytes / 1_000_000} MB: give lists a smaller limit, or select fewer fields.`,
);

/**
 * Serializes the data of a response as JSON.
 * @returns a Refusal (limit-exceeded) if the JSON has more than maxResponseBytes
 */
export function serializeData(data: unknown): string | Refusal {
  const json = JSON.stringify(data ?? null);
  return json.length > maxResponseBytes || Buffer.byteLength(json) > maxResponseBytes ? tooLarge : json;
}

/** @returns a function that adds characters. It throws a Refusal (limit-exceeded) once they exceed maxResponseBytes. */
export function countCharacters(): (more: number) => void {
  let characters = 0;
  return (more) => {
    characters += more;
    if (characters > maxResponseBytes) throw tooLarge;
  };
}

/**
 * Measures the rows that PostgreSQL sends for one request, so that a large response is refused before it is assembled.
 * @returns a function that adds rows. It throws a Refusal (limit-exceeded) when their text exceeds maxResponseBytes.
 */
export function createRowMeter(): (rows: readonly object[]) => void {
  const count = countCharacters();
  return (rows) => {
    for (const row of rows) for (const value of Object.values(row)) if (typeof value === "string") count(value.length);
  };
}
