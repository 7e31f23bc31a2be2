import { catalog, Problem, type ErrorCode } from "../../../http/problem.ts";
import { detailsSchema, type OperationTraits } from "./error_details.ts";
import { closed, exampleOf, oneOf, pascalCase, type Json, type JsonObject } from "./schemas.ts";

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

const timestamp: JsonObject = {
  type: "string",
  format: "date-time",
  description: "When the response was made.",
};
const duration: JsonObject = {
  type: "number",
  examples: [8.4],
  description: "Milliseconds that the request took.",
};

const aboutResponse = { description: "About the response." };

/** meta of a success. */
export const successMeta = (message: string): JsonObject =>
  closed({ message: text("For people.", message), timestamp, duration }, { title: "Meta", ...aboutResponse });

export const everyHeader: JsonObject = {
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
  "Cache-Control": { $ref: "#/components/headers/Cache-Control" },
};

export const headersOf = (status: number | undefined): JsonObject => ({
  ...everyHeader,
  ...(status !== undefined && headers[status]),
});

/** The error responses of one operation by their status. */
export function errorResponses(errors: readonly DocumentedError[], traits: OperationTraits = {}): JsonObject {
  const byStatus = Map.groupBy(errors, (error) => problemOf(error).status);
  const inOrder = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(inOrder.map(([status, own]) => [String(status), response(status, own, traits)]));
}

const problemOf = ({ code, reason }: DocumentedError, { args = {} }: OperationTraits = {}): Problem =>
  new Problem(code, reason === undefined ? null : { reason }, {}, { isOfUser: "session_id" in args });

const byCode = (errors: readonly DocumentedError[]): [ErrorCode, DocumentedError[]][] => [
  ...Map.groupBy(errors, ({ code }) => code),
];

function response(status: number, errors: DocumentedError[], traits: OperationTraits): JsonObject {
  const reasons = errors.flatMap(({ reason }) => reason ?? []);
  const message = byCode(errors)
    .map(([code, own]) => `${code}: ${messageOf(own, code, traits)}`)
    .join(" ");
  const schema = errorSchema(errors, traits);
  return {
    description: reasons.length > 0 ? `${message} details.reason: ${[...new Set(reasons)].join(", ")}.` : message,
    headers: headersOf(status),
    content: { "application/json": { schema, example: exampleOf(schema) } },
  };
}

/** The body of one of these errors. */
export function errorSchema(errors: readonly DocumentedError[], traits: OperationTraits = {}): JsonObject {
  const meta = {
    timestamp,
    path: text("The request's path, without its query.", "/api/v1/auth/login"),
    method: text("The request's method.", "POST"),
  };
  const shapes = byCode(errors).map(([code, own]) => errorOf(code, own, traits));
  return closed({
    error: { description: "What went wrong. A newer version may send other codes.", ...oneOf(shapes) },
    meta: closed(meta, { title: "ErrorMeta", ...aboutResponse }),
  });
}

/** @param own the errors with this code, which differ in their reasons */
function errorOf(code: ErrorCode, own: DocumentedError[], traits: OperationTraits): JsonObject {
  const reasons = own.map(({ reason }) => reason);
  const properties = {
    message: text("For people; may change.", messageOf(own, code, traits)),
    code: { type: "string", enum: [code], description: "What went wrong (docs/errors.md)." },
    details: {
      ...detailsSchema(code, reasons, traits),
      description: "For programs; null where the code says all.",
    },
  };
  const title = `${pascalCase(code).replace(/Error$/, "")}Error`;
  return closed(properties, { title, description: catalog[code].message });
}

const messageOf = ([first]: DocumentedError[], code: ErrorCode, traits: OperationTraits): string =>
  problemOf(first ?? { code }, traits).message;

const text = (description: string, example: string): Json => ({
  type: "string",
  description,
  examples: [example],
});
