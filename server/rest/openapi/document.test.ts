import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { routes } from "../routes.ts";
import { descriptions } from "./descriptions.ts";
import { openApiDocument } from "./document.ts";
import type { JsonObject } from "./schemas.ts";

test("a validator of OpenAPI finds neither errors nor warnings", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(openApiDocument()), config });
  expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
});

test("every route of the table is described, and nothing else", () => {
  expect(Object.keys(descriptions).sort()).toEqual(routes.map(({ path }) => path).sort());
  const paths = Object.keys(openApiDocument().paths as JsonObject);
  for (const { path } of routes) expect(paths).toContain(`/api/v1${path}`);
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
