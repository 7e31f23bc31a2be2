import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalog } from "../../../http/problem.ts";
import { routes } from "../routes.ts";
import { descriptions } from "./descriptions/descriptions.ts";
import { openApiDocument } from "./document.ts";
import type { Json, JsonObject } from "./schemas.ts";

test("a validator of OpenAPI finds neither errors nor warnings", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(openApiDocument()), config });
  expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
});

test("every route of the table is described, and nothing else", () => {
  expect(Object.keys(descriptions).sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  const paths = Object.keys(openApiDocument().paths as JsonObject);
  for (const { path } of routes) expect(paths).toContain(`/api/v1${path}`);
});

test("every property, parameter, header and security scheme has a description, and every parameter an example", () => {
  const missing: string[] = [];
  const visit = (value: Json, path: string[]) => {
    if (value === null || typeof value !== "object") return;
    const [kind = "", name = ""] = path.slice(-2);
    const described = ["properties", "parameters", "headers", "securitySchemes"].includes(kind);
    if (!Array.isArray(value)) {
      const { description, $ref, example, schema } = value;
      if (described && $ref === undefined && !description) missing.push(`description of ${name}: ${path.join("/")}`);
      const { examples = example, const: only } = (schema ?? {}) as JsonObject;
      if (kind === "parameters" && $ref === undefined && examples === undefined && only === undefined)
        missing.push(`example of ${path.join("/")}`);
    }
    for (const [key, child] of Object.entries(value))
      if (key !== "example" && key !== "examples") visit(child, [...path, key]);
  };
  visit(openApiDocument({ exact: true }), []);
  visit(openApiDocument(), []);
  expect(missing).toEqual([]);
});

interface Operation {
  security: Record<string, []>[];
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> };
  responses: Record<string, { content: Record<string, { example?: Record<string, unknown> }> }>;
}

test("examples are of one case: a login is a user's, a webhook's user has the role user, phones are phones", () => {
  const paths = openApiDocument().paths as unknown as Record<string, Record<string, Operation>>;
  const examples = ({ requestBody, responses }: Operation) => [
    requestBody?.content["application/json"]?.example,
    responses[200]?.content["application/json"]?.example,
  ];
  const [login, webhook, graphql] = ["/api/v1/auth/login", "/api/v1/auth/webhook/authorize", "/v1/graphql"].map(
    (path) => examples(paths[path]!.post!),
  );
  expect(login).toMatchObject([{ phone: "+12125550123" }, { data: { role: "user" } }]);
  expect(webhook).toMatchObject([
    { headers: { Authorization: expect.stringMatching(/^Bearer /) as string } },
    { "X-Hasura-Role": "user", "X-Hasura-User-Id": expect.any(String) as string },
  ]);
  expect(graphql).toMatchObject([{ query: expect.any(String) as string }, { data: { user_session: [{}] } }]);
  expect(graphql?.[1]).not.toHaveProperty("errors");
  expect(paths["/api/v1/auth/webhook/authorize"]?.get?.security).toContainEqual({ accessToken: [] });
  expect(JSON.stringify(paths)).not.toContain('"text"');
});

// That no operation reads another header, every flow test checks (testing/network/headers_read.ts).
test("each operation names the headers that it reads, and 429 of GraphQL those that it sends", () => {
  const { paths } = openApiDocument() as unknown as {
    paths: Record<string, Record<string, { description: string }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ description }) => ({
      path,
      read: Array.from(description.matchAll(/header `([\w-]+)`/g), ([, name]) => name),
    })),
  );
  expect((openApiDocument().info as JsonObject).description).toContain("header `X-Request-Id`");
  const withText = operations.filter(({ read }) => read.includes("Accept-Language")).map(({ path }) => path);
  expect(withText.sort()).toEqual(
    [
      // DELETE, and POST.
      "/auth/email",
      "/auth/email",
      "/auth/email/verify",
      "/auth/factors/passkey",
      "/auth/factors/totp/verify",
      "/auth/factors/{factor_id}",
      "/auth/login/factor",
      "/auth/login/passkey",
      "/auth/phone",
      "/auth/phone/verify",
      "/auth/reset-password",
      "/auth/session/step-up",
      "/otp/send",
    ].map((path) => `/api/v1${path}`),
  );
  const login = operations.find(({ path }) => path === "/api/v1/auth/login");
  expect(login?.read).toContain("User-Agent");
  expect(paths["/v1/graphql"]?.post).toHaveProperty("responses.429.headers.Retry-After");
});

test("a request's example holds no field but those of its schema, with the specified format", () => {
  const { paths } = openApiDocument() as { paths: Record<string, { post?: { requestBody?: unknown } }> };
  expect(paths["/api/v1/otp/send"]?.post?.requestBody).toMatchObject({
    content: {
      "application/json": {
        example: { input: { identifier: "+12125550123", identifierType: "PHONE", purpose: "SIGNUP" } },
      },
    },
  });
});

test("the values of details.reason are those of docs/errors.md", () => {
  const reasons = new Set<string>();
  JSON.stringify(openApiDocument({ exact: true }), (key, value: { enum?: string[] }) => {
    if (key === "reason") value.enum?.forEach((reason) => reasons.add(reason));
    return value;
  });
  const errors = readFileSync(join(import.meta.dirname, "../../../docs/errors.md"), "utf8");
  const documented = [...errors.matchAll(/^- \*\*`(\w+)`\*\* \(`(\w+)`/gm)].filter(
    ([, , code = ""]) => code in catalog,
  );
  // GraphQL's refusals have no reasons.
  const ofGraphql = ["not_acceptable", "role_refused"];
  expect([...reasons, ...ofGraphql].sort()).toEqual(documented.map(([, reason]) => reason).sort());
});

test("the fields that errors have as examples are the route's own", () => {
  const { paths } = openApiDocument({ exact: true }) as unknown as {
    paths: Record<string, { post: Operation }>;
  };
  const fieldsOf = (path: string) => {
    const fields = new Set<string>();
    JSON.stringify(paths[path]?.post.responses[400], (key, value: { items?: object; examples?: string[] }) => {
      if (key === "field" || key === "items") value.examples?.forEach((field) => fields.add(field));
      return value;
    });
    return [...fields];
  };
  expect(fieldsOf("/api/v1/auth/session/refresh")).toEqual(["refresh_token"]);
  expect(fieldsOf("/api/v1/auth/phone/verify")).toEqual(["newPhone", "otp"]);
  expect(fieldsOf("/api/v1/auth/register")).toEqual(["phone", "password"]);
  expect(fieldsOf("/api/v1/auth/password")).toEqual(["newPassword"]);
  expect(fieldsOf("/api/v1/otp/send")).toEqual([
    "input.identifier",
    "input.autofill",
    "input.channel",
    "input.purpose",
  ]);
});
