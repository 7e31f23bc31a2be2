import { Refusal } from "./refusal.ts";
import { maxAnswerBytes } from "./limits.ts";

const tooLarge = new Refusal(
  "limit-exceeded",
  `The answer is larger than ${maxAnswerBytes / 1_000_000} MB: give lists a smaller limit, or select fewer fields.`,
);

/** The data of an answer as JSON; a Refusal (limit-exceeded) above maxAnswerBytes. */
export function answerText(data: unknown): string | Refusal {
  const text = JSON.stringify(data ?? null);
  return text.length > maxAnswerBytes || Buffer.byteLength(text) > maxAnswerBytes ? tooLarge : text;
}

/**
 * Adds up what the database sends for one request, so that a large answer is refused before it is put together.
 * The function that it returns throws a Refusal (limit-exceeded) above maxAnswerBytes.
 */
export function createAnswerMeter(): (rows: readonly object[]) => void {
  let received = 0;
  return (rows) => {
    for (const row of rows)
      for (const value of Object.values(row)) if (typeof value === "string") received += value.length;
    if (received > maxAnswerBytes) throw tooLarge;
  };
}
