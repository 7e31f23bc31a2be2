import type { z } from "zod";
import { Problem, type ErrorCode } from "../../http/problem.ts";

/** A body with several faults is answered with the first of these codes, in the order that docs/errors.md gives. */
const precedence: ErrorCode[] = [
  "MISSING_FIELDS",
  "INVALID_REQUEST",
  "INVALID_IDENTIFIER",
  "INVALID_PURPOSE",
  "INVALID_OTP_FORMAT",
];

/** @throws Problem with the code that docs/errors.md gives */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  // A missing body lacks every field. A body that is not an object has the wrong type.
  const parsed = schema.safeParse(body ?? {}, { reportInput: false });
  if (parsed.success) return parsed.data;
  throw problemOf(parsed.error.issues);
}

function problemOf(issues: z.core.$ZodIssue[]): Problem {
  const ranked = issues.map((issue) => {
    const code = precedence.find((candidate) => candidate === issue.message) ?? "INVALID_REQUEST";
    return {
      code,
      field: issue.path.join("."),
      reason: issue.code === "invalid_type" ? "wrong_type" : "invalid",
    };
  });
  const code = precedence.find((candidate) => ranked.some((issue) => issue.code === candidate)) ?? "INVALID_REQUEST";
  const matching = ranked.filter((issue) => issue.code === code);
  if (code === "MISSING_FIELDS") return new Problem(code, { fields: matching.map(({ field }) => field) });
  const { field = "", reason } = matching[0] ?? {};
  if (field === "") return new Problem(code, { reason: "not_an_object" });
  return new Problem(code, code === "INVALID_REQUEST" ? { field, reason } : { field });
}
