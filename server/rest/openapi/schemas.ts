import { z } from "zod";

/** JSON, as a document holds it. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = Record<string, Json>;

/** JSON Schema of what a client sends (input) or receives (output). */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const json = z.toJSONSchema(schema, {
    io,
    // A field that may be null and may be left out: generators would make an object of the null.
    override({ jsonSchema }) {
      if (jsonSchema.default === null) delete jsonSchema.default;
    },
  });
  delete json.$schema;
  return JSON.parse(JSON.stringify(json)) as JsonObject;
}

/**
 * An object with exactly these properties, all but the optional ones required.
 * @param title the name of the schema in the published document (published.ts)
 */
export const closed = (
  properties: JsonObject,
  { title, description, optional = [] }: { title?: string; description?: string; optional?: string[] } = {},
): JsonObject => ({
  ...(title !== undefined && { title }),
  type: "object",
  ...(description !== undefined && { description }),
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const alternatives =
  (keyword: "anyOf" | "oneOf") =>
  ([first = {}, ...others]: JsonObject[]): JsonObject =>
    others.length === 0 ? first : { [keyword]: [first, ...others] };

/** One of these schemas. */
export const anyOf = alternatives("anyOf");

/** One of these errors, whose codes differ. */
export const oneOf = alternatives("oneOf");

/** snake_case or SNAKE_CASE as the name of a schema. */
export const pascalCase = (name: string): string =>
  name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** An object of objects with each of these mapped. */
export const mapValues = (values: JsonObject, map: (value: JsonObject, name: string) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value as JsonObject, name)]));

const examplesByFormat: Record<string, string> = {
  uuid: "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f",
  "date-time": "2026-01-31T12:00:00.000Z",
  jwt: "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl",
};

/** A value that fits a JSON Schema: the schema's own example where it has one. */
export function exampleOf(schema: JsonObject): Json {
  const { examples, anyOf, oneOf = anyOf, properties, items, enum: values, format, type } = schema;
  if (Array.isArray(examples)) return examples[0] ?? null;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(values)) return values[0] ?? null;
  if (Array.isArray(oneOf)) return exampleOf(oneOf[0] as JsonObject);
  if (properties)
    return Object.fromEntries(
      Object.entries(properties as JsonObject).map(([name, property]) => [name, exampleOf(property as JsonObject)]),
    );
  if (items) return [exampleOf(items as JsonObject)];
  if (typeof format === "string" && format in examplesByFormat) return examplesByFormat[format] ?? "";
  if (type === "object") return {};
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return 0;
  return type === "null" ? null : "text";
}
