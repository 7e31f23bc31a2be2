import { expect } from "vitest";
import { promotingRoutes, publicRoutes } from "../../client/src/authorized_fetch.ts";
import { test } from "../../testing/fixtures.ts";
import { newPhone } from "../../testing/service/people.ts";
import { openApiDocument } from "../../server/rest/openapi/document.ts";
import { connect } from "./fixtures/client_fixtures.ts";

test("an error has the service's code, typed details, status and request id", async ({ service }) => {
  const { latchkey } = connect(service);
  const { error } = await latchkey.POST("/auth/register", { body: { phone: newPhone(), password: "short" } });
  expect(error).toEqual({
    code: "INVALID_REQUEST",
    message: expect.any(String) as string,
    details: { reason: "too_short", field: "password", minimum: 8 },
    status: 400,
    requestId: expect.any(String) as string,
  });
  // Narrowed by its code: this compiles.
  if (error?.code === "INVALID_REQUEST") expect(error.details.minimum).toBe(8);
});

test("a rate limit says how long to wait", async ({ service }) => {
  const { latchkey } = connect(service);
  const identifier = newPhone();
  const input = { identifier, identifierType: "PHONE", purpose: "SIGNUP" } as const;
  for (let sent = 0; sent < 3; sent++) await latchkey.POST("/otp/send", { body: { input } });
  const { error } = await latchkey.POST("/otp/send", { body: { input } });
  if (error?.code !== "RATE_LIMIT_EXCEEDED") throw new Error(`not limited: ${error?.code}`);
  expect(error.details.retryAfterSeconds).toBeGreaterThan(0);
});

test("GraphQL's errors have its own codes", async ({ service }) => {
  const { latchkey } = connect(service);
  await latchkey.session.ensureGuest();
  const { error } = await latchkey.graphql("{ user_session { nothing } }");
  expect(error?.code).toBe("validation-failed");
  expect((await connect(service).latchkey.graphql("{ user_session { id } }")).error?.code).toBe("access-denied");
});

test("a request that its caller aborts says so", async ({ service }) => {
  const { latchkey } = connect(service);
  const { error } = await latchkey.GET("/health", { signal: AbortSignal.abort() });
  expect(error).toMatchObject({ code: "NETWORK_FAILURE", aborted: true });
});

test("the client sends tokens to exactly those routes that take them", () => {
  const document = openApiDocument() as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
  };
  const withoutToken: string[] = [];
  const optional: string[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!path.startsWith("/api/v1") || path.includes("/webhook/")) continue;
    for (const [method, { security = [] }] of Object.entries(operations)) {
      const route = `${method.toUpperCase()} ${path.slice("/api/v1".length)}`;
      if (!security.some((scheme) => "accessToken" in scheme)) withoutToken.push(route);
      else if (security.length > 1) optional.push(route);
    }
  }
  expect([...publicRoutes].sort()).toEqual(withoutToken.sort());
  expect([...promotingRoutes].sort()).toEqual(optional.sort());
});
