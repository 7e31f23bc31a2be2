import type { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { api } from "../../database/api_functions.ts";
import { codeOfReason } from "../../http/problem.ts";
import type { Route } from "../route.ts";
import { routes, routesByPath } from "../routes.ts";
import { commonHeaders } from "./common_headers.ts";
import { components, headerParameter } from "./components.ts";
import { descriptions } from "./descriptions.ts";
import {
  aboutResponse,
  duration,
  errorResponses,
  everyHeader,
  timestamp,
  type DocumentedError,
} from "./error_responses.ts";
import { graphqlPaths } from "./graphql_paths.ts";
import { operationPaths } from "./operation_paths.ts";
import { closed, exampleOf, jsonSchemaOf, type JsonObject } from "./schemas.ts";

/** The OpenAPI 3.1 document of GET /api/v1/openapi.json: the table of routes, and the paths outside of it, described by hand. */
export function openApiDocument(): JsonObject {
  return {
    openapi: "3.1.1",
    info: {
      title: "Latchkey",
      version: packageJson.version,
      summary: "Phone sign-in that lives in PostgreSQL",
      description:
        "Go by `error.code`, and where it matters by `error.details.reason`; `message` is for people and may change. " +
        "An unknown path answers 404, another method 405, both as INVALID_REQUEST in the same shape. " +
        "So do a request that is not valid HTTP with 400, one whose headers are too large (16 KiB) with 431, and one whose headers do " +
        "not arrive within 10 seconds or whose body does not within 20, with 408. A path that takes GET takes HEAD. " +
        "Unknown fields of a body are ignored; responses may gain fields. " +
        `Besides the headers of its operation, a response may have: ${commonHeaders.join(", ")}.`,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: "/" }],
    tags,
    paths: withCommonParts({
      ...Object.fromEntries([...routesByPath].map(([path, own]) => [`/api/v1${path}`, operationsOf(own)])),
      ...operationPaths,
      ...graphqlPaths,
    }),
    components,
  };
}

/** Every operation takes X-Request-Id. OpenAPI has no place for the methods that a path does not take, so each operation has their 405. */
const withCommonParts = (paths: JsonObject): JsonObject =>
  mapValues(paths, (operations) =>
    mapValues(operations, ({ parameters = [], responses, ...operation }) => ({
      ...operation,
      parameters: [...(parameters as JsonObject[]), headerParameter("X-Request-Id")],
      responses: {
        ...(responses as JsonObject),
        405: { $ref: "#/components/responses/MethodNotAllowed" },
      },
    })),
  );

const mapValues = (values: JsonObject, map: (value: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value as JsonObject)]));

const tags = [
  { name: "auth", description: "Sessions, registration, login, password reset" },
  { name: "otp", description: "One-time passwords" },
  { name: "operation", description: "Health, keys, this document" },
  { name: "data", description: "GraphQL, and the webhook that authorizes it" },
];

const functionNames = new Map<object, string>(Object.entries(api).map(([name, fn]) => [fn, name]));

/** The function's name, with the end of the path where several routes call the function. */
function operationIdOf({ path, calls }: Route): string {
  const name = functionNames.get(calls) ?? "";
  const isShared = routes.filter((route) => route.calls === calls).length > 1;
  return isShared ? `${name}_${path.split("/").at(-1) ?? ""}` : name;
}

const operationsOf = (own: Route[]): JsonObject =>
  Object.fromEntries(own.map((route) => [route.method.toLowerCase(), operationOf(route)]));

function operationOf(route: Route): JsonObject {
  const { method, path, calls, guard, input, follow, status, message, presenter } = route;
  const { summary = "", description = "" } = descriptions[`${method} ${path}`] ?? {};
  const { parameter } = input;
  const codes = [...guard.errors, ...input.errors, ...calls.errors, ...(follow?.calls.errors ?? [])];
  const errors: DocumentedError[] = [
    ...new Set(codes),
    ...(["INVALID_REQUEST", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"] as const),
  ].map((code) => ({ code }));
  const reasons = [...calls.reasons, ...(guard.reasons ?? []), ...(parameter ? [parameter.reason] : [])];
  for (const reason of new Set(reasons)) errors.push({ code: codeOfReason(reason), reason });
  if (input.body)
    for (const reason of ["too_large", "unsupported_media_type"])
      errors.push({ code: "INVALID_REQUEST", reason });
  return {
    operationId: operationIdOf(route),
    tags: [path.split("/")[1] ?? ""],
    summary,
    description,
    security: [...(guard.scheme ? [{ [guard.scheme]: [] }] : []), ...(guard.isOptional ? [{}] : [])],
    parameters: [
      ...(parameter ? [parameterOf({ in: "path", required: true, ...parameter })] : []),
      ...(guard.parameters ?? []).map(parameterOf),
      ...("languages" in calls.args ? [headerParameter("Accept-Language")] : []),
      ...("user_agent" in calls.args ? [headerParameter("User-Agent")] : []),
    ],
    ...(input.body && {
      requestBody: requestBody(input.reader.mediaTypes, jsonSchemaOf(input.body, "input")),
    }),
    responses: {
      [status]: success(message, presenter.schema && jsonSchemaOf(presenter.schema, "output")),
      ...errorResponses(errors),
    },
  };
}

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  schema: z.ZodType<string>;
}

function parameterOf({ in: place, name, required, schema }: Parameter): JsonObject {
  const { description = "", ...json } = jsonSchemaOf(schema, "input");
  return { in: place, name, required, description, schema: json };
}

function requestBody(mediaTypes: readonly string[], schema: JsonObject): JsonObject {
  const content = { schema, example: exampleOf(schema) };
  const types = mediaTypes.filter((type) => !type.includes("*"));
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
}

/** The body of a success: data, where there is any, and meta. */
function success(message: string, data: JsonObject | undefined): JsonObject {
  const meta = closed(
    {
      message: { type: "string", description: "For people.", examples: [message] },
      timestamp,
      duration,
    },
    aboutResponse,
  );
  const schema = closed(data ? { data: { description: "What was requested.", ...data }, meta } : { meta });
  return {
    description: message,
    headers: everyHeader,
    content: { "application/json": { schema, example: exampleOf(schema) } },
  };
}
