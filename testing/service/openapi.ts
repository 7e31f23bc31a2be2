import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { demoMessagesPath } from "../../server/pages/demo_messages.ts";
import { commonHeaders } from "../../server/rest/openapi/common_headers.ts";
import { errorResponses } from "../../server/rest/openapi/error_responses.ts";
import { openApiDocument } from "../../server/rest/openapi/document.ts";

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object }>;
}
interface Operation {
  description: string;
  parameters?: { name: string }[];
  security: Record<string, []>[];
  responses: Record<string, Response | { $ref: string }>;
}
type Operations = Record<string, Operation>;

/** An answer of the service; text: its body. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
// The types of ajv-formats are those of a CommonJS module.
(formats as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addFormat("jwt", /^[\w-]+\.[\w-]+\.[\w-]+$/);
ajv.addFormat("password", true);

const document = openApiDocument({ exact: true }) as unknown as {
  info: { description: string };
  paths: Record<string, Operations>;
  components: {
    responses: Record<string, Response>;
    securitySchemes: Record<string, { name?: string }>;
  };
};
export const { info, components } = document;

/**
 * The schema in the document as it is served, whose named schemas are merged from several operations, by that of the
 * operation alone.
 */
const publishedSchemas = new Map<object, object>();
ajv.addSchema(openApiDocument(), "published");
for (const [path, operations] of Object.entries(document.paths))
  for (const [method, { responses }] of Object.entries(operations))
    addPublishedSchemas(["paths", path, method, "responses"], responses);
addPublishedSchemas(["components", "responses"], components.responses);

function addPublishedSchemas(place: string[], responses: Operation["responses"]): void {
  for (const [status, response] of Object.entries(responses)) {
    if ("$ref" in response) continue;
    for (const [mediaType, { schema }] of Object.entries(response.content ?? {})) {
      const names = [...place, status, "content", mediaType, "schema"];
      const pointer = names.map((name) => encodeURIComponent(name.replaceAll("/", "~1"))).join("/");
      publishedSchemas.set(schema, { $ref: `published#/${pointer}` });
    }
  }
}

const validators = new Map<object, ValidateFunction>();
const common = new Set(commonHeaders.map((name) => name.toLowerCase()));
/** The errors of unknown paths, which the document's description mentions, and of pages. */
const undocumentedErrors = errorResponses([
  { code: "INVALID_REQUEST" },
  ...["not_found", "method_not_allowed", "too_large", "unsupported_media_type"].map((reason) => ({
    code: "INVALID_REQUEST" as const,
    reason,
  })),
  { code: "MISSING_FIELDS" },
]) as Record<string, Response>;

/**
 * Checks a response against the OpenAPI document: path, method, status, content type, headers and body. Pages and their
 * files are not in the document, but their errors have its shape.
 * @throws Error that describes the difference
 */
export function checkAgainstDocument(method: string, path: string, answer: Answer): void {
  try {
    check(method, path, answer);
  } catch (error) {
    const what = `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 500)}`;
    throw new Error(`${(error as Error).message}: ${what}`, { cause: error });
  }
}

function check(method: string, path: string, answer: Answer): void {
  const operations = operationsAt(path);
  if (!operations && isOfPage(method, path, answer)) return;
  // A preflight request of CORS.
  if (method === "OPTIONS" && answer.status === 204) {
    checkHeaders({}, answer);
    return;
  }
  const response = operations ? responseOf(operations, method, answer.status) : undocumentedErrors[answer.status];
  if (!response) throw new Error("not in the OpenAPI document");
  checkHeaders(response.headers ?? {}, answer);
  // 304
  if (!response.content) return;
  const mediaType = mediaTypeOf(answer);
  const schema = response.content[mediaType]?.schema;
  if (!schema) throw new Error(`the OpenAPI document has no such content type: ${mediaType}`);
  const value: unknown = mediaType === "text/plain" ? answer.text : JSON.parse(answer.text);
  validate(schema, value);
  const published = publishedSchemas.get(schema);
  if (published) validate(published, value);
}

function validate(schema: object, value: unknown): void {
  const validator = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validator);
  if (!validator(value)) throw new Error(ajv.errorsText(validator.errors));
}

const mediaTypeOf = ({ headers }: Answer): string => (headers.get("content-type") ?? "").split(";", 1)[0] ?? "";

/** A page for people or one of its files: no program reads these media types. 304 has none. */
function isOfPage(method: string, path: string, answer: Answer): boolean {
  if (answer.status >= 400 || belowApi.test(path)) return false;
  if (path === demoMessagesPath) return true;
  if (method !== "GET" && method !== "HEAD") return false;
  return answer.status === 304 || pageTypes.test(mediaTypeOf(answer));
}
const pageTypes = /^(text\/(html|css|javascript)|(image|font)\/.*)$/;
/** Paths of programs. */
const belowApi = /^\/(api|v1|\.well-known)(\/|$)/;

/** A fixed path comes before one with variable parts (OpenAPI 3.1, paths object). */
function operationsAt(path: string): Operations | undefined {
  const { paths } = document;
  const isMatch = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return paths[path] ?? Object.entries(paths).find(([template]) => isMatch(template))?.[1];
}

/** HEAD is answered as GET. */
const operationOf = (operations: Operations, method: string): Operation | undefined =>
  operations[method === "HEAD" ? "get" : method.toLowerCase()];

/** The operation of the document that answers a request; undefined: none. */
export function documentedOperation(method: string, path: string): Operation | undefined {
  const operations = operationsAt(path);
  return operations && operationOf(operations, method);
}

/**
 * Every operation has the answers to the methods that its path does not take: 405, or 404 if the server does not have
 * the route. One may have a 405 of its own besides.
 */
function responseOf(operations: Operations, method: string, status: number): Response | undefined {
  const operation = operationOf(operations, method);
  const isOfOtherMethods = status === 405 && "$ref" in (operation?.responses[405] ?? {});
  if (operation ? isOfOtherMethods : ![400, 404, 405].includes(status)) return undefined;
  const response = (operation ?? Object.values(operations)[0])?.responses[status];
  return response && "$ref" in response ? components.responses[response.$ref.split("/").at(-1) ?? ""] : response;
}

function checkHeaders(documented: Record<string, unknown>, answer: Answer): void {
  for (const name of Object.keys(documented))
    if (!answer.headers.has(name) && !isOptional(name, answer)) throw new Error(`the header ${name} is missing`);
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
  for (const name of answer.headers.keys())
    if (!names.has(name) && !common.has(name)) throw new Error(`the header ${name} is not documented`);
}

/**
 * MAX_ATTEMPTS_REACHED has the status of a rate limit, but no retry headers, because waiting does not help. A fraud
 * rule has no quota, so its refusal has Retry-After alone, and so has GraphQL's for a share of time. A client that
 * takes no gzip gets none.
 */
function isOptional(name: string, { status, text }: Answer): boolean {
  if (name === "Content-Encoding") return true;
  if (status !== 429) return false;
  const { error, errors } = JSON.parse(text) as {
    error?: { code?: string; details?: { policy?: string } | null };
    errors?: unknown[];
  };
  if (errors) return /^ratelimit/i.test(name);
  if (error?.code === "MAX_ATTEMPTS_REACHED") return /^ratelimit|^retry-after/i.test(name);
  return error?.details?.policy?.startsWith("FRAUD_") === true && /^ratelimit/i.test(name);
}
