import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "./schemas.ts";

export const equal = (one: Json | undefined, other: Json | undefined): boolean => isDeepStrictEqual(one, other);

/**
 * Keywords that may differ between schemas that describe the same thing: the first schema's annotations are kept,
 * bounds are dropped.
 */
const annotations = ["description", "examples"];
const bounds = ["additionalProperties", "minLength", "minimum", "pattern"];
const merged = ["enum", "items", "properties", "required"];

/**
 * One schema that allows what each of these allows: they describe the same thing at different operations. A member is
 * required if all require it, and objects that are alternatives become one object, because a client narrows a type by
 * `code` and then wants its members.
 * @throws Error if the schemas have nothing in common that a client could be generated from
 */
export function mergeSchemas(schemas: JsonObject[]): JsonObject {
  const [first = {}, ...others] = withoutUnknown(schemas).flatMap(alternativesOf);
  const all = [first, ...others];
  const isCommon = (keyword: string) => others.every((other) => equal(other[keyword], first[keyword]));
  const allHave = (keyword: string) => all.every((schema) => schema[keyword] !== undefined);
  const differing = distinct(all.flatMap((schema) => Object.keys(schema))).filter(
    (keyword) => !isCommon(keyword) && ![...annotations, ...bounds, ...merged].includes(keyword),
  );
  if (differing.length > 0)
    throw new Error(`schemas of one title differ in ${differing.join(", ")}: ${JSON.stringify(all)}`);
  return {
    ...Object.fromEntries(
      Object.entries(first).filter(([keyword]) => annotations.includes(keyword) || isCommon(keyword)),
    ),
    ...(allHave("enum") && { enum: distinct(all.flatMap((schema) => schema.enum as string[])) }),
    ...(allHave("items") && { items: mergeSchemas(all.map(({ items }) => items as JsonObject)) }),
    ...(allHave("properties") && mergeProperties(all)),
  };
}

/** Leaves out "null, or an object that may come" where the other schemas say what object that is. */
function withoutUnknown(schemas: JsonObject[]): JsonObject[] {
  const known = schemas.filter(({ type, additionalProperties }) => !(Array.isArray(type) && additionalProperties));
  const mayBeNull = ({ anyOf }: JsonObject) =>
    Array.isArray(anyOf) && anyOf.some((one) => equal((one as JsonObject).type, "null"));
  return known.length > 0 && known.every(mayBeNull) ? known : schemas;
}

function mergeProperties(schemas: JsonObject[]): JsonObject {
  const entries = schemas.flatMap(({ properties }) => Object.entries(properties as JsonObject));
  const required = schemas.map((schema) => (schema.required ?? []) as string[]);
  const byName = Map.groupBy(entries, ([name]) => name);
  return {
    properties: Object.fromEntries(
      [...byName].map(([name, own]) => [name, mergeSchemas(own.map(([, schema]) => schema as JsonObject))]),
    ),
    required: [...byName.keys()].filter((name) => required.every((names) => names.includes(name))),
  };
}

/** The alternatives of a schema if all are objects; otherwise the schema. */
function alternativesOf(schema: JsonObject): JsonObject[] {
  const { anyOf, ...shared } = schema;
  const areObjects = Array.isArray(anyOf) && anyOf.every((one) => (one as JsonObject).properties);
  return areObjects ? anyOf.map((one) => ({ ...(one as JsonObject), ...shared })) : [schema];
}

const distinct = (values: string[]): string[] => [...new Set(values)];
