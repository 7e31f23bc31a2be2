import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { errorSchema } from "../server/rest/openapi/error_responses.ts";
import { openApiDocument } from "../server/rest/openapi/document.ts";

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object }>;
}
type Operations = Record<string, { responses: Record<string, Response> }>;

const ajv = new Ajv2020({ allErrors: true, strict: false });
// The types of ajv-formats are those of a CommonJS module.
(formats as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addFormat("jwt", /^[\w-]+\.[\w-]+\.[\w-]+$/);
ajv.addFormat("password", true);

const paths = openApiDocument().paths as unknown as Record<string, Operations>;
const unknownRoute = ajv.compile(errorSchema(["INVALID_REQUEST"]));
const validators = new Map<object, ValidateFunction>();

/**
 * Checks a response against the OpenAPI document: path, method, status, content type, headers and body. The tests' REST client
 * checks every response, so that document and service cannot differ.
 * @throws Error that describes the difference
 */
export function checkAgainstDocument(
  method: string,
  path: string,
  { status, headers, body }: { status: number; headers: Headers; body: unknown },
): void {
  const [withoutQuery = ""] = path.split("?");
  const answer = `${method} ${withoutQuery} answered ${status} ${JSON.stringify(body).slice(0, 500)}`;
  const operation = operationsAt(withoutQuery)?.[method.toLowerCase()];
  // Not in the document: 404, 405, and requests that are refused before routing.
  if (!operation) {
    if (status < 400 || !unknownRoute(body))
      throw new Error(`the OpenAPI document has no such operation: ${answer}`);
    if (status === 405 && !headers.has("allow")) throw new Error(`the header Allow is missing: ${answer}`);
    return;
  }
  const response = operation.responses[status];
  if (!response) throw new Error(`the OpenAPI document has no such status: ${answer}`);
  for (const name of Object.keys(response.headers ?? {}))
    if (!headers.has(name) && !isOptional(name, body))
      throw new Error(`the header ${name} is missing: ${answer}`);
  // 304
  if (!response.content) return;
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
  const schema = response.content[mediaType]?.schema;
  if (!schema) throw new Error(`the OpenAPI document has no such content type: ${mediaType}, ${answer}`);
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  if (!validate(body)) throw new Error(`${ajv.errorsText(validate.errors)}: ${answer}`);
}

/** A fixed path comes before one with variable parts (OpenAPI 3.1, paths object). */
function operationsAt(path: string): Operations | undefined {
  const isMatch = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return paths[path] ?? Object.entries(paths).find(([template]) => isMatch(template))?.[1];
}

/**
 * MAX_ATTEMPTS_REACHED has the status of a rate limit, but no retry headers, because waiting does not help. A fraud rule has no
 * quota, so its refusal has Retry-After alone.
 */
function isOptional(name: string, body: unknown): boolean {
  const { error } = (body ?? {}) as { error?: { code?: string; details?: { policy?: string } | null } };
  if (error?.code === "MAX_ATTEMPTS_REACHED") return /^ratelimit|^retry-after/i.test(name);
  return error?.details?.policy?.startsWith("FRAUD_") === true && /^ratelimit/i.test(name);
}
