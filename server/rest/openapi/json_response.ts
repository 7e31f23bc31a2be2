import { everyHeader } from "./errors.ts";
import { exampleOf, type JsonObject } from "./schemas.ts";

export const text: JsonObject = { type: "string" };

/** A response of one JSON schema, with an example of it. */
export function json(description: string, schema: JsonObject, mediaType = "application/json"): JsonObject {
  return {
    description,
    headers: everyHeader,
    content: { [mediaType]: { schema, example: exampleOf(schema) } },
  };
}
