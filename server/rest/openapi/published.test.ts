import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openApiDocument } from "./document.ts";
import { publishedDocument } from "./published.ts";
import { mapValues, pascalCase, type JsonObject } from "./schemas.ts";

interface Response {
  content?: Record<string, { schema: object }>;
}
const documentOf = (options?: { exact: boolean }) =>
  openApiDocument(options) as unknown as {
    paths: Record<string, Record<string, { responses: Record<number, Response> }>>;
    components: { responses: Record<string, Response>; schemas?: Record<string, JsonObject> };
  };
const published = documentOf();
const exact = documentOf({ exact: true });
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const validatorIn = ({ paths, components }: typeof published, path: string, status: number) =>
  ajv.compile({
    ...paths[path]?.post?.responses[status]?.content?.["application/json"]?.schema,
    components,
  });

test("no response of the published document forbids members", () => {
  const responsesOf = ({ paths, components }: typeof published) =>
    JSON.stringify([
      Object.values(paths).flatMap((methods) => Object.values(methods).map(({ responses }) => responses)),
      components.responses,
      Object.entries(components.schemas ?? {}).filter(([name]) => !name.endsWith("Request")),
    ]);
  expect(responsesOf(published)).not.toContain('"additionalProperties":false');
  expect(responsesOf(exact)).toContain('"additionalProperties":false');
});

test("no text for people is fixed", () => {
  const fixed: unknown[] = [];
  JSON.stringify(published, (key, value: { const?: unknown } | undefined) => {
    if (key === "message" && value?.const !== undefined) fixed.push(value.const);
    return value;
  });
  expect(fixed).toEqual([]);
});

const meta = { timestamp: "2026-01-31T12:00:00.000Z", path: "/", method: "POST" };
const login = "/api/v1/auth/login";
const errorOf = (code: string, details: object | null, more = {}) => ({
  error: { message: "No.", code, details, ...more },
  meta,
});
const graphqlErrorOf = (code: string) => ({
  data: null,
  errors: [{ message: "No.", extensions: { path: "$", code } }],
});

test.for<[string, string, number, object]>([
  ["a detail", login, 400, errorOf("INVALID_REQUEST", { reason: "malformed", line: 1 })],
  ["details of a code that had none", login, 500, errorOf("INTERNAL_ERROR", { of: "a new shape" })],
  ["a member of an error", login, 500, errorOf("INTERNAL_ERROR", null, { help: "x" })],
])("the published document allows %s that a newer version sends", ([_what, path, status, body]) => {
  expect(validatorIn(published, path, status)(body)).toBe(true);
  expect(validatorIn(exact, path, status)(body)).toBe(false);
});

// A generated type narrows by a code only if no other text is allowed beside it.
test.for<[string, string, number, object, object]>([
  ["codes", login, 400, errorOf("NEW_CODE", {}), errorOf("INVALID_IDENTIFIER", { field: "phone" })],
  ["a status's codes", login, 400, errorOf("OTP_EXPIRED", null), errorOf("MISSING_FIELDS", { fields: ["phone"] })],
  [
    "reasons",
    login,
    400,
    errorOf("INVALID_REQUEST", { reason: "new" }),
    errorOf("INVALID_REQUEST", { reason: "malformed" }),
  ],
  ["codes of GraphQL", "/v1/graphql", 200, graphqlErrorOf("new-code"), graphqlErrorOf("timeout")],
])("%s are closed lists", ([_what, path, status, refused, taken]) => {
  const validate = validatorIn(published, path, status);
  expect([validate(refused), validate(taken)]).toEqual([false, true]);
});

test("the published document still requires the members of every error", () => {
  const validate = validatorIn(published, login, 400);
  expect(validate({ error: { message: "No.", code: "INVALID_REQUEST" }, meta })).toBe(false);
  expect(validate({ error: { message: "No.", code: 1, details: null }, meta })).toBe(false);
  expect(validate({ error: { message: "No.", code: "INVALID_REQUEST", details: "x" }, meta })).toBe(false);
});

/** Every object of the published document, with its place. */
function objectsOf(value: unknown, place = ""): { place: string; value: JsonObject }[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value)
    .filter(([key]) => key !== "example" && key !== "examples")
    .flatMap(([key, one]) => objectsOf(one, `${place}/${key}`));
  return Array.isArray(value) ? inner : [{ place, value: value as JsonObject }, ...inner];
}
const objects = objectsOf(published);
const placesOf = (isFound: (value: JsonObject) => boolean) =>
  objects.filter(({ value }) => isFound(value)).map(({ place }) => place);

test("bodies, data, meta and errors have names, and so has each object in a list", () => {
  const isNamed = (schema: JsonObject | undefined): boolean =>
    schema === undefined ||
    "$ref" in schema ||
    ["oneOf", "anyOf"].some((key) => Array.isArray(schema[key]) && (schema[key] as JsonObject[]).every(isNamed));
  const unnamed = objects.flatMap(({ place, value }) => {
    const { data, meta, error } = (value.properties ?? {}) as Record<string, JsonObject>;
    const body = /\/requestBody\/content\/[^/]+\/[^/]+$/.test(place) ? (value.schema as JsonObject) : undefined;
    const items = (value.items as JsonObject | undefined)?.properties ? (value.items as JsonObject) : undefined;
    return isEnvelope(value) || body || (items && !place.includes("Graphql"))
      ? [data, meta, error, body, items].every(isNamed)
        ? []
        : [place]
      : [];
  });
  expect(unnamed).toEqual([]);
});
const isEnvelope = ({ properties }: JsonObject): boolean => "meta" in ((properties ?? {}) as JsonObject);

test("a union of errors has a discriminator with each of its codes", () => {
  const unions = objects.filter(({ value }) => value.oneOf);
  expect(unions.length).toBeGreaterThan(30);
  for (const { value } of unions) {
    const references = (value.oneOf as { $ref: string }[]).map(({ $ref }) => $ref);
    const mapping = references.map(($ref) => {
      const { code } = published.components.schemas?.[$ref.split("/").at(-1) ?? ""]?.properties as {
        code: { enum: string[] };
      };
      return [code.enum.join(), $ref];
    });
    expect(value.discriminator).toEqual({
      propertyName: "code",
      mapping: Object.fromEntries(mapping) as object,
    });
  }
});

test("nothing is in the document that generators make wrong code of", () => {
  expect(placesOf((value) => value.default === null)).toEqual([]);
  const mixed = (value: JsonObject) => typeof value.additionalProperties === "object" && "properties" in value;
  expect(placesOf(mixed)).toEqual([]);
  // Those of a gateway's signature, which no browser sends.
  const headers = objects.filter(({ value }) => value.in === "header" && typeof value.name === "string");
  const ofKeys = headers.filter(({ place }) => place.startsWith("/components/securitySchemes/"));
  expect(headers.filter((header) => !ofKeys.includes(header)).map(({ value }) => value.name)).toEqual([
    "webhook-id",
    "webhook-timestamp",
  ]);
});

test("no two schemas or operations would have the same file name in generated code", () => {
  const operations = Object.values(published.paths).flatMap((methods) =>
    Object.values(methods).map((operation) =>
      pascalCase((operation as unknown as { operationId: string }).operationId),
    ),
  );
  const names = [...Object.keys(published.components.schemas ?? {}), ...operations].map((name) => name.toLowerCase());
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const merged = (...schemas: JsonObject[]) =>
  publishedDocument({
    paths: mapValues(Object.fromEntries(schemas.map((schema, index) => [`/${index}`, schema])), (schema) => ({
      get: { responses: { 200: { schema: { title: "Same", ...schema } } } },
    })),
    components: {},
  }).components;

test("schemas of one title become one, which allows what each of them allows", () => {
  const one = {
    type: "object",
    properties: { a: { enum: ["x"] }, b: { type: "string" } },
    required: ["a", "b"],
  };
  const other = { type: "object", properties: { a: { enum: ["y"] } }, required: ["a"] };
  expect(merged(one, other)).toMatchObject({
    schemas: {
      Same: {
        type: "object",
        properties: { a: { enum: ["x", "y"] }, b: { type: "string" } },
        required: ["a"],
      },
    },
  });
  expect(() => merged(one, { type: "string" })).toThrow("schemas of one title differ in type");
});
