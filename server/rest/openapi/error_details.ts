import type { ErrorCode } from "../../http/problem.ts";
import { anyOf, closed, type JsonObject } from "./schemas.ts";

const field: JsonObject = {
  ...{ type: "string", minLength: 1, examples: ["phone"] },
  description: "The field that is wrong; a nested one with dots.",
};
const reasonOf = (reasons: readonly string[]): JsonObject => ({
  ...{ type: "string", enum: [...reasons], description: "What exactly went wrong (docs/errors.md)." },
});
const count = (description: string, example: number): JsonObject => ({
  ...{ type: "integer", minimum: 0, description, examples: [example] },
});

const retryAfterSeconds = count("When the request may succeed.", 42);
const policy = (pattern: string, example: string): JsonObject => ({
  ...{ type: "string", pattern, examples: [example] },
  description: "The setting that refuses the request.",
});

/**
 * The details of each code that has some. Here are only the reasons that leave the code its own status: those with a status of their own
 * are declared by routes and SQL functions.
 */
const detailsByCode: Partial<Record<ErrorCode, JsonObject[]>> = {
  INVALID_REQUEST: [
    closed({ reason: reasonOf(["malformed", "not_an_object"]) }),
    closed({ reason: reasonOf(["wrong_type", "invalid", "autofill_not_allowed", "too_common"]), field }),
    closed({ reason: reasonOf(["too_short"]), field, minimum: count("Characters, at least.", 8) }),
    closed({ reason: reasonOf(["too_long"]), field, maximum: count("Characters, at most.", 256) }),
  ],
  MISSING_FIELDS: [
    closed({ fields: { type: "array", items: field, minItems: 1, description: "All that are missing." } }),
  ],
  INVALID_IDENTIFIER: [closed({ field })],
  INVALID_PURPOSE: [closed({ field })],
  INVALID_OTP_FORMAT: [closed({ field })],
  RATE_LIMIT_EXCEEDED: [
    closed({
      retryAfterSeconds,
      policy: policy("^(?!FRAUD_)[A-Z_]+$", "LOGINS_PER_PHONE"),
      requests: count("Requests that the limit allows.", 5),
      seconds: count("In so many seconds.", 900),
    }),
    // A fraud rule names no bounds: they would help an attacker to stay below them.
    closed({ retryAfterSeconds, policy: policy("^FRAUD_[A-Z_]+$", "FRAUD_COUNTRY") }),
  ],
  SESSION_NOT_FOUND: [
    closed({
      reason: reasonOf([
        ...["token_missing", "token_invalid", "token_expired", "token_replaced", "session_missing"],
      ]),
    }),
  ],
};

/**
 * The details of an error.
 * @param reasons values of details.reason that have a status of their own; undefined: those that leave the code its status
 */
export function detailsSchema(code: ErrorCode, reasons: readonly (string | undefined)[]): JsonObject {
  const ownStatus = reasons.filter((reason) => reason !== undefined);
  return anyOf([
    ...(reasons.includes(undefined) ? (detailsByCode[code] ?? [{ type: "null" }]) : []),
    ...(ownStatus.length > 0 ? [closed({ reason: reasonOf(ownStatus) })] : []),
  ]);
}
