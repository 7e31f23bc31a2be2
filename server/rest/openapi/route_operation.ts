import type { z } from "zod";
import { api } from "../../database/api_functions.ts";
import { codeOfReason, type ErrorCode } from "../../../http/problem.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import { descriptions } from "./descriptions/descriptions.ts";
import { errorResponses, everyHeader, successMeta, type DocumentedError } from "./error_responses.ts";
import { closed, exampleOf, jsonSchemaOf, pascalCase, type JsonObject } from "./schemas.ts";

const functionNames = new Map<object, string>(Object.entries(api).map(([name, fn]) => [fn, name]));

/** The function's name, with the end of the path where several routes call the function. */
function operationIdOf({ path, calls }: Route): string {
  const name = functionNames.get(calls) ?? "";
  const isShared = routes.filter((route) => route.calls === calls).length > 1;
  return isShared ? `${name}_${path.split("/").at(-1) ?? ""}` : name;
}

/** The operation of the OpenAPI document that describes a route. */
export function operationOf(route: Route): JsonObject {
  const { method, path, calls, guard, input, follow, status, message, presenter } = route;
  const { summary = "", description = "" } = descriptions[`${method} ${path}`] ?? {};
  const operationId = operationIdOf(route);
  const { parameter } = input;
  const parameters = [
    ...(parameter ? [parameterOf({ in: "path", required: true, ...parameter })] : []),
    ...(guard.parameters ?? []).map(parameterOf),
  ];
  const body = input.body && {
    title: `${pascalCase(operationId)}Request`,
    ...jsonSchemaOf(input.body, "input"),
  };
  const codes = [...guard.errors, ...input.errors, ...calls.errors, ...(follow?.calls.errors ?? [])];
  const errors: DocumentedError[] = [
    ...new Set<ErrorCode>([...codes, "INVALID_REQUEST", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]),
  ].map((code) => ({ code }));
  const reasons = [...calls.reasons, ...(guard.reasons ?? []), ...(parameter ? [parameter.reason] : [])];
  for (const reason of new Set(reasons)) errors.push({ code: codeOfReason(reason), reason });
  if (body)
    for (const reason of ["too_large", "unsupported_media_type"]) errors.push({ code: "INVALID_REQUEST", reason });
  return {
    operationId,
    tags: [path.split("/")[1] ?? ""],
    summary,
    description: [description, ...headersRead(calls.args)].join(" "),
    security: [...(guard.scheme ? [{ [guard.scheme]: [] }] : []), ...(guard.isOptional ? [{}] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(input.reader.mediaTypes, body) }),
    responses: {
      [status]: success(message, presenter.schema && jsonSchemaOf(presenter.schema, "output")),
      ...errorResponses(errors, { body, args: calls.args, isTokenOptional: guard.isOptional === true }),
    },
  };
}

/** Browsers set these headers themselves. As parameters they would be arguments of every generated function. */
const headersRead = (args: Readonly<Record<string, unknown>>): string[] => [
  ...("languages" in args
    ? ["The languages of the header `Accept-Language` decide which text the message has (docs/messages.md)."]
    : []),
  ...("user_agent" in args
    ? ["The header `User-Agent` is stored with the session while the setting SESSION_CLIENT_DETAILS is on."]
    : []),
];

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
  const meta = successMeta(message);
  const schema = closed(data ? { data: { description: "What was requested.", ...data }, meta } : { meta });
  return {
    description: message,
    headers: everyHeader,
    content: { "application/json": { schema, example: exampleOf(schema) } },
  };
}
