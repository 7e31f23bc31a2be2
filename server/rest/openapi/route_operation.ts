import type { z } from "zod";
import { api } from "../../database/api_functions.ts";
import { codeOfReason } from "../../http/problem.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes.ts";
import { headerParameter } from "./components.ts";
import { descriptions } from "./descriptions.ts";
import {
  aboutResponse,
  duration,
  errorResponses,
  everyHeader,
  timestamp,
  type DocumentedError,
} from "./error_responses.ts";
import { closed, exampleOf, jsonSchemaOf, type JsonObject } from "./schemas.ts";

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
  const { parameter } = input;
  const body = input.body && jsonSchemaOf(input.body, "input");
  const codes = [...guard.errors, ...input.errors, ...calls.errors, ...(follow?.calls.errors ?? [])];
  const errors: DocumentedError[] = [
    ...new Set(codes),
    ...(["INVALID_REQUEST", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"] as const),
  ].map((code) => ({ code }));
  const reasons = [...calls.reasons, ...(guard.reasons ?? []), ...(parameter ? [parameter.reason] : [])];
  for (const reason of new Set(reasons)) errors.push({ code: codeOfReason(reason), reason });
  if (body)
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
    ...(body && { requestBody: requestBody(input.reader.mediaTypes, body) }),
    responses: {
      [status]: success(message, presenter.schema && jsonSchemaOf(presenter.schema, "output")),
      ...errorResponses(errors, { body, args: calls.args, isTokenOptional: guard.isOptional === true }),
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
