import { createClient } from "graphql-ws";
import { expect } from "vitest";
import { test as baseTest } from "../../../testing/graphql/graphql_fixtures.ts";
import { WebSocket } from "ws";
import { bearer } from "../../../testing/service/rest_client.ts";
import { askGraphql, type Ask } from "../../../testing/graphql/graphql_client.ts";

// So small that any machine exhausts it: 3 ms at once, and 1 ms in each second after that.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({
  worker: false,
  env: { GRAPHQL_BUDGET_MS: "1" },
}));

const fields = (name: string) =>
  Array.from({ length: 40 }, (_, index) => `${name}${index}: user_session(offset: ${index}) { id role }`);
const cachedQuery = "{ user_session { id } }";

async function askUntilRefused(ask: Ask, name: string) {
  for (let count = 0; count < 1_000; count++) {
    const response = await ask(`{ ${fields(`${name}${count}_`).join(" ")} }`);
    if (response.code !== undefined) return response;
  }
  throw new Error("never refused");
}

test("a guest that keeps sending new documents is refused with Retry-After, and no other guest is", async ({
  askAs,
  newGuest,
}) => {
  const victim = askAs(await newGuest());
  expect((await victim(cachedQuery)).code).toBeUndefined();
  const attacker = askAs(await newGuest());
  const refused = await askUntilRefused(attacker, "a");
  expect(refused).toMatchObject({ status: 429, code: "limit-exceeded" });
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(refused.message).toMatch(/share of the server's time/);
  expect((await attacker("{ __typename another: __typename }")).status).toBe(429);
  // Another session, with a document whose plan is cached.
  expect((await askAs(await newGuest())(cachedQuery)).code).toBeUndefined();
});

test("a client that accepts GraphQL's own media type gets the same status", async ({ service, askAs, newGuest }) => {
  const tokens = await newGuest();
  await askUntilRefused(askAs(tokens), "b");
  const ask = askGraphql(service.url, {
    ...bearer(tokens.access_token),
    accept: "application/graphql-response+json",
  });
  expect(await ask("{ new: user_session { id } }")).toMatchObject({ status: 429, code: "limit-exceeded" });
});

test("a socket's operations are charged to its session", async ({ askAs, newGuest, socketUrl }) => {
  const tokens = await newGuest();
  await askUntilRefused(askAs(tokens), "c");
  const client = createClient({
    url: socketUrl,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${tokens.access_token}` },
  });
  const result = await new Promise((resolve) => {
    client.subscribe(
      { query: "{ newer: user_session { id } }" },
      { next: resolve, error: resolve, complete: () => undefined },
    );
  });
  await client.dispose();
  expect(JSON.stringify(result)).toMatch(/share of the server's time.*limit-exceeded.*"retryAfterSeconds":2/);
});
