import type { JsonObject } from "../server/rest/openapi/schemas.ts";

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>;
  required?: string[];
  items?: ObjectSchema;
}

/** The fields that a JSON Schema knows and does not require, as paths such as `input.label`; of a list's entries `sessions[].label`. */
export function optionalFields(schema: JsonObject, path = ""): string[] {
  const { properties = {}, required = [], items } = schema as ObjectSchema;
  const ofEntries = items ? optionalFields(items as JsonObject, `${path}[]`) : [];
  const ofProperties = Object.entries(properties).flatMap(([name, property]) => {
    const field = path ? `${path}.${name}` : name;
    return required.includes(name) ? optionalFields(property as JsonObject, field) : [field];
  });
  return [...ofEntries, ...ofProperties];
}
