import { catalog, Problem, type ErrorCode } from "../../http/problem.ts";
import { exampleOf, type Json, type JsonObject } from "./schemas.ts";

/** An error that a route may answer with. */
export interface DocumentedError {
  code: ErrorCode;
  /** Some reasons of INVALID_REQUEST have a status of their own. */
  reason?: string;
}

const headers: Record<number, JsonObject> = {
  401: { "WWW-Authenticate": { $ref: "#/components/headers/WWW-Authenticate" } },
  405: { Allow: { $ref: "#/components/headers/Allow" } },
  429: {
    "Retry-After": { $ref: "#/components/headers/Retry-After" },
    RateLimit: { $ref: "#/components/headers/RateLimit" },
    "RateLimit-Policy": { $ref: "#/components/headers/RateLimit-Policy" },
  },
  503: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
};

export const everyHeader: JsonObject = {
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
  "Cache-Control": { $ref: "#/components/headers/Cache-Control" },
};

export const headersOf = (status: number | undefined): JsonObject => ({
  ...everyHeader,
  ...(status !== undefined && headers[status]),
});

/** The error responses of one operation by their status. */
export function errorResponses(errors: readonly DocumentedError[]): JsonObject {
  const byStatus = new Map<number, Problem[]>();
  for (const { code, reason } of errors) {
    const problem = new Problem(code, reason === undefined ? null : { reason });
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem]);
  }
  const inOrder = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    inOrder.map(([status, problems]) => [String(status), response(status, problems)]),
  );
}

function response(status: number, problems: Problem[]): JsonObject {
  const codes = [...new Set(problems.map(({ code }) => code))];
  const reasons = problems.flatMap(({ details }) => (details ? [String(details.reason)] : []));
  const message = codes.map((code) => `${code}: ${messageOf(code, problems)}`).join(" ");
  const schema = errorSchema(codes);
  return {
    description:
      reasons.length > 0 ? `${message} details.reason: ${[...new Set(reasons)].join(", ")}.` : message,
    headers: headersOf(status),
    content: { "application/json": { schema, example: exampleOf(schema) } },
  };
}

const messageOf = (code: ErrorCode, problems: Problem[]): string =>
  problems.find((problem) => problem.code === code)?.message ?? catalog[code].message;

/** The specified error body, with one of these codes. */
export function errorSchema(codes: readonly ErrorCode[]): JsonObject {
  const text = (example: string): Json => ({ type: "string", examples: [example] });
  const [first = "INTERNAL_ERROR"] = codes;
  return closed({
    error: closed({
      message: text(catalog[first].message),
      code: { type: "string", enum: [...codes] },
      details: {
        type: ["object", "null"],
        examples: [null],
        description: "null, or an object that may gain fields.",
      },
    }),
    meta: closed({
      timestamp: { type: "string", format: "date-time" },
      path: text("/api/v1/auth/login"),
      method: text("POST"),
    }),
  });
}

/** An object with exactly these properties. */
export const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
