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

export const timestamp: JsonObject = {
  ...{ type: "string", format: "date-time" },
  description: "When the response was made.",
};
export const duration: JsonObject = {
  ...{ type: "number", examples: [8.4] },
  description: "Milliseconds that the request took.",
};

export const aboutResponse = "About the response.";

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

/** The body of an error, with one of these codes. */
export function errorSchema(codes: readonly ErrorCode[]): JsonObject {
  const text = (description: string, example: string): Json => ({
    ...{ type: "string", description, examples: [example] },
  });
  const [first = "INTERNAL_ERROR"] = codes;
  const error = {
    message: text("For people; may change.", catalog[first].message),
    code: { type: "string", enum: [...codes], description: "What went wrong (docs/errors.md)." },
    details: {
      type: ["object", "null"],
      examples: [null],
      description: "null, or an object that may gain fields.",
    },
  };
  const meta = {
    timestamp,
    path: text("The request's path, without its query.", "/api/v1/auth/login"),
    method: text("The request's method.", "POST"),
  };
  return closed({ error: closed(error, "What went wrong."), meta: closed(meta, aboutResponse) });
}

/** An object with exactly these properties. */
export const closed = (properties: JsonObject, description?: string): JsonObject => ({
  type: "object",
  ...(description !== undefined && { description }),
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
