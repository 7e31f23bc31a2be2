import type { JsonObject } from "../server/rest/openapi/schemas.ts";

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>;
  required?: string[];
  items?: ObjectSchema;
  anyOf?: ObjectSchema[];
}

/**
 * The fields that a JSON Schema declares and does not require, as paths such as `input.label`; of a list's entries
 * `sessions[].label`.
 */
export function optionalFields(schema: JsonObject, path = ""): string[] {
  const { properties = {}, required = [], items, anyOf = [] } = schema as ObjectSchema;
  const alternatives = anyOf.filter((alternative) => alternative.properties);
  if (alternatives.length > 0) return optionalFields(mergedOf(alternatives) as JsonObject, path);
  const ofEntries = items ? optionalFields(items as JsonObject, `${path}[]`) : [];
  const ofProperties = Object.entries(properties).flatMap(([name, property]) => {
    const field = path ? `${path}.${name}` : name;
    return required.includes(name) ? optionalFields(property as JsonObject, field) : [field];
  });
  return [...ofEntries, ...ofProperties];
}

/** The fields of all of these schemas: required is what each of them requires. */
const mergedOf = (schemas: ObjectSchema[]): ObjectSchema => ({
  properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as Record<string, ObjectSchema>,
  required: (schemas[0]?.required ?? []).filter((name) => schemas.every(({ required }) => required?.includes(name))),
});
