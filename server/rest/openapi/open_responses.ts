import { mapValues, type Json, type JsonObject } from "./schemas.ts";

/**
 * The document whose responses may grow, as docs/errors.md promises: objects may gain members, and errors may have other codes, reasons
 * and details. A client that validates against it, or is generated from it, survives a newer version.
 */
export const withOpenResponses = ({ paths, components, ...document }: JsonObject): JsonObject => ({
  ...document,
  paths: mapValues(paths as JsonObject, (operations) =>
    mapValues(operations, ({ responses = {}, ...operation }) => ({
      ...operation,
      responses: open(responses),
    })),
  ),
  components: {
    ...(components as JsonObject),
    responses: open((components as JsonObject).responses ?? {}),
  },
});

const open = (responses: Json): Json =>
  JSON.parse(JSON.stringify(responses), (key, value: Json) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    if (key === "properties") return openProperties(value);
    const { additionalProperties, ...schema } = value;
    return additionalProperties === false ? schema : value;
  }) as Json;

function openProperties(properties: JsonObject): JsonObject {
  const members = mapValues(properties, (schema, name) =>
    ["code", "reason"].includes(name) && schema.enum ? openEnum(schema) : schema,
  );
  const { code, details } = members;
  return code && details ? { ...members, details: openDetails(details as JsonObject) } : members;
}

const openEnum = ({ description, ...known }: JsonObject): JsonObject => ({
  description: `${description as string} A newer version may send others.`,
  anyOf: [known, { type: "string" }],
});

const openDetails = ({ description = "", ...known }: JsonObject): JsonObject => ({
  description,
  anyOf: [
    ...(Array.isArray(known.anyOf) ? known.anyOf : [known]),
    { type: ["object", "null"], description: "Those that a newer version sends." },
  ],
});
