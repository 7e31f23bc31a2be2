import { headersOf } from "./error_responses.ts";
import { exampleOf, type JsonObject } from "./schemas.ts";

export const text: JsonObject = { type: "string" };

/** A response of one JSON schema, with an example of it. */
export function json(description: string, schema: JsonObject, status?: number): JsonObject {
  return { description, headers: headersOf(status), content: jsonContent(schema) };
}

export const jsonContent = (schema: JsonObject, mediaTypes = ["application/json"]): JsonObject =>
  Object.fromEntries(mediaTypes.map((type) => [type, { schema, example: exampleOf(schema) }]));
