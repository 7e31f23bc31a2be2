import { equal, mergeSchemas } from "./merge_schemas.ts";
import { mapValues, type Json, type JsonObject } from "./schemas.ts";

/**
 * The document as it is served: every schema with a title is a component of that name, so that generators have one type
 * for it, and errors are a union that `code` discriminates. Objects of responses may gain members, as docs/errors.md
 * promises.
 */
export function publishedDocument({ paths, components, ...document }: JsonObject): JsonObject {
  const { responses, ...parts } = components as JsonObject;
  const occurrences = new Map<string, JsonObject[]>();
  const published = {
    paths: mapValues(paths as JsonObject, (operations) =>
      mapValues(operations, ({ responses = {}, ...operation }) => ({
        ...(withComponents(operation, occurrences) as JsonObject),
        responses: withComponents(open(responses), occurrences),
      })),
    ),
    responses: withComponents(open(responses ?? {}), occurrences),
  };
  const schemas = [...occurrences].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...document,
    paths: published.paths,
    components: {
      ...parts,
      responses: published.responses,
      schemas: Object.fromEntries(schemas.map(([name, own]) => [name, mergeSchemas(own)])),
    },
  };
}

const prefix = "#/components/schemas/";

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Replaces each schema that has a title by a reference, and collects the schemas of each title. */
function withComponents(value: Json, occurrences: Map<string, JsonObject[]>): Json {
  if (Array.isArray(value)) return value.map((entry) => withComponents(entry, occurrences));
  if (!isObject(value)) return value;
  const replaced = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      ["example", "examples"].includes(key) ? inner : withComponents(inner, occurrences),
    ]),
  );
  const { title, ...schema } = replaced;
  if (typeof title !== "string") return discriminated(replaced, occurrences);
  const known = occurrences.get(title) ?? [];
  const [first = schema] = known;
  if (!known.some((one) => equal(one, schema))) occurrences.set(title, [...known, schema]);
  const { description } = schema;
  return {
    $ref: prefix + title,
    ...(description !== undefined && description !== first.description && { description }),
  };
}

interface ErrorSchema {
  properties: { code: { enum: [string] } };
}

/** The alternatives are errors: generators read from the discriminator which code each one has. */
function discriminated(schema: JsonObject, occurrences: Map<string, JsonObject[]>): JsonObject {
  if (!Array.isArray(schema.oneOf)) return schema;
  const mapping = schema.oneOf.map((one) => {
    const { $ref } = one as { $ref: string };
    const [error] = occurrences.get($ref.slice(prefix.length)) ?? [];
    return [(error as unknown as ErrorSchema).properties.code.enum[0], $ref];
  });
  return {
    ...schema,
    discriminator: { propertyName: "code", mapping: Object.fromEntries(mapping) as JsonObject },
  };
}

/** Responses without the schemas that forbid other members. */
const open = (responses: Json): Json =>
  JSON.parse(JSON.stringify(responses), (key, value: Json) => {
    if (!isObject(value)) return value;
    if (key === "properties") return openProperties(value);
    const { additionalProperties, ...schema } = value;
    return additionalProperties === false ? schema : value;
  }) as Json;

/** Codes without details today may get some. */
function openProperties({ details, ...properties }: JsonObject): JsonObject {
  if (!isObject(details)) return properties;
  const { description = "", type } = details;
  const grown = { type: ["object", "null"], additionalProperties: true, description };
  return { ...properties, details: type === "null" ? grown : details };
}
