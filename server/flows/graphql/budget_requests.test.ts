import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { askGraphql, type Ask } from "../../../testing/graphql_client.ts";
import { startService, type Service } from "../../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  // So small that any machine exhausts it: 3 ms at once, and 1 ms in each second after that.
  service = await startService({ worker: false, env: { GRAPHQL_BUDGET_MS: "1" } });
});
afterAll(() => service.stop());

const guest = async () => tokensOf(await service.client.post("/auth/session/guest")).access_token;
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

test("a guest that keeps sending new documents is refused with Retry-After, and no other guest is", async () => {
  const victim = askGraphql(service.url, bearer(await guest()));
  expect((await victim(cachedQuery)).code).toBeUndefined();
  const attacker = askGraphql(service.url, bearer(await guest()));
  const refused = await askUntilRefused(attacker, "a");
  expect(refused).toMatchObject({ status: 429, code: "limit-exceeded" });
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(refused.message).toMatch(/share of the server's time/);
  expect((await attacker("{ __typename another: __typename }")).status).toBe(429);
  // Another session, with a document whose plan is cached.
  expect((await askGraphql(service.url, bearer(await guest()))(cachedQuery)).code).toBeUndefined();
});

test("a client that accepts GraphQL's own media type gets the same status", async () => {
  const token = await guest();
  await askUntilRefused(askGraphql(service.url, bearer(token)), "b");
  const ask = askGraphql(service.url, { ...bearer(token), accept: "application/graphql-response+json" });
  expect(await ask("{ new: user_session { id } }")).toMatchObject({ status: 429, code: "limit-exceeded" });
});

test("a socket's operations are charged to its session", async () => {
  const token = await guest();
  await askUntilRefused(askGraphql(service.url, bearer(token)), "c");
  const client = createClient({
    url: `${service.url.replace("http", "ws")}/v1/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${token}` },
  });
  const result = await new Promise((resolve) => {
    client.subscribe(
      { query: "{ newer: user_session { id } }" },
      { next: resolve, error: resolve, complete: () => undefined },
    );
  });
  await client.dispose();
  expect(JSON.stringify(result)).toMatch(/share of the server's time.*limit-exceeded/);
});
