import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openApiDocument } from "./document.ts";

interface Response {
  content?: Record<string, { schema: object }>;
}
const documentOf = (options?: { exact: boolean }) =>
  openApiDocument(options) as unknown as {
    paths: Record<string, Record<string, { responses: Record<number, Response> }>>;
    components: { responses: Record<string, Response> };
  };
const published = documentOf();
const exact = documentOf({ exact: true });
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const validatorIn = ({ paths }: typeof published, path: string, status: number) =>
  ajv.compile(paths[path]?.post?.responses[status]?.content?.["application/json"]?.schema ?? false);

test("no response of the published document forbids members", () => {
  const responsesOf = ({ paths, components }: typeof published) =>
    JSON.stringify([
      Object.values(paths).flatMap((methods) => Object.values(methods).map(({ responses }) => responses)),
      components.responses,
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
  ["a code", login, 400, errorOf("NEW_CODE", { of: "a new shape" })],
  ["a code without details", login, 500, errorOf("NEW_CODE", null)],
  ["a reason", login, 400, errorOf("INVALID_REQUEST", { reason: "new" })],
  ["a detail", login, 400, errorOf("INVALID_REQUEST", { reason: "malformed", line: 1 })],
  ["details of a code that had none", login, 500, errorOf("INTERNAL_ERROR", { of: "a new shape" })],
  ["a member of an error", login, 500, errorOf("INTERNAL_ERROR", null, { help: "x" })],
  ["a code of GraphQL", "/v1/graphql", 200, graphqlErrorOf("new-code")],
])("the published document allows %s that a newer version sends", ([_what, path, status, body]) => {
  expect(validatorIn(published, path, status)(body)).toBe(true);
  expect(validatorIn(exact, path, status)(body)).toBe(false);
});

test("the published document still requires the members of every error", () => {
  const validate = validatorIn(published, login, 400);
  expect(validate({ error: { message: "No.", code: "INVALID_REQUEST" }, meta })).toBe(false);
  expect(validate({ error: { message: "No.", code: 1, details: null }, meta })).toBe(false);
  expect(validate({ error: { message: "No.", code: "INVALID_REQUEST", details: "x" }, meta })).toBe(false);
});
