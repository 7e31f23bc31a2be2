import { expect } from "vitest";
import { memoryTokenStorage } from "../../client/src/index.ts";
import { eventually } from "../../testing/eventually.ts";
import { test } from "../../testing/fixtures.ts";
import type { Service } from "../../testing/service/service.ts";
import { startTcpProxy } from "../../testing/network/tcp_proxy.ts";
import { connect, refreshesIn, signIn, spoil } from "./fixtures/client_fixtures.ts";

const liveSessions = "subscription { user_session(where: { revoked_at: { _is_null: true } }) { id } }";
interface Rows {
  user_session: { id: string }[];
}

test("a live query receives changes, survives the end of its token, and ends with the session", async ({ service }) => {
  const storage = memoryTokenStorage();
  const { latchkey, network } = connect(service, { storage });
  const other = connect(service).latchkey;
  const person = await signIn(service, latchkey);
  await spoil(storage);
  const sizes: number[] = [];
  const errors: string[] = [];
  latchkey.live<Rows>(liveSessions, ({ data, error }) =>
    data ? sizes.push(data.user_session.length) : errors.push(error.code),
  );
  await eventually("the first result", () => sizes.length === 1);
  expect(refreshesIn(network), "a refused token is replaced").toBe(1);
  await signIn(service, other, person);
  await eventually("the other session", () => sizes.at(-1) === sizes[0]! + 1);
  await other.POST("/auth/sessions/revoke-others");
  await eventually("the end", () => errors.length === 1);
  expect(errors).toEqual(["access-denied"]);
  expect(latchkey.session.current).toBeNull();
});

test("a live query reconnects when the connection was lost", async ({ service, onTestFinished }) => {
  const proxy = await startTcpProxy(service.url);
  onTestFinished(() => proxy.stop());
  const { latchkey } = connect({ url: proxy.through(service.url).replace(/\/$/, "") });
  await signIn(service, latchkey);
  const [results, connections]: [string[], boolean[]] = [[], []];
  latchkey.onConnection((isConnected) => connections.push(isConnected));
  latchkey.live<Rows>(liveSessions, ({ error }) => results.push(error?.code ?? "rows"));
  await eventually("the first result", () => results.length === 1);
  await proxy.cut();
  await eventually("the loss", () => connections.at(-1) === false);
  await proxy.restore();
  await eventually("the result after the reconnection", () => results.length === 2);
  expect(results).toEqual(["rows", "rows"]);
  expect(connections.at(-1)).toBe(true);
});

test("a live query follows the next user who signs in, and ends when it is stopped", async ({ service }) => {
  const { latchkey } = connect(service);
  await signIn(service, latchkey);
  const owners: (string | null | undefined)[] = [];
  const stop = latchkey.live<{ user_session: { user_id: string }[] }>(
    "subscription { user_session { user_id } }",
    ({ data }) => owners.push(data?.user_session[0]?.user_id),
  );
  await eventually("the first user's rows", () => owners.length === 1);
  await signIn(service, latchkey);
  await eventually("the second user's rows", () => owners.at(-1) !== owners[0]);
  expect(owners.at(-1)).toBe(latchkey.session.current?.userId);
  const seen = owners.length;
  stop();
  await latchkey.POST("/auth/sessions/revoke-others");
  await latchkey.GET("/auth/session");
  expect(owners.length).toBe(seen);
});

/** A live query of a new user whose first token lives `ttlSeconds`, and what it received until its first result. */
async function liveQueryWithShortToken(service: Service, ttlSeconds: number) {
  await service.set("ACCESS_TOKEN_TTL_SECONDS", ttlSeconds);
  const { latchkey, network } = connect(service);
  await signIn(service, latchkey);
  await service.set("ACCESS_TOKEN_TTL_SECONDS", 3_600);
  const results: { result: string; refreshes: number }[] = [];
  const stop = latchkey.live<Rows>(liveSessions, ({ error }) =>
    results.push({ result: error?.code ?? "rows", refreshes: refreshesIn(network) }),
  );
  await eventually("the first result", () => results.length >= 1);
  return { results, stop };
}

test("a live query goes on when the server closes the socket because the token has ended", async ({ service }) => {
  let ttlSeconds = 1;
  let query = await liveQueryWithShortToken(service, ttlSeconds);
  // On a busy machine the token ends before the socket is open: then there is no socket to close.
  while (query.results[0]!.refreshes > 0 && ttlSeconds < 32) {
    query.stop();
    query = await liveQueryWithShortToken(service, (ttlSeconds *= 2));
  }
  await eventually("the result with the next token", () => query.results.length === 2);
  expect(query.results).toEqual([
    { result: "rows", refreshes: 0 },
    { result: "rows", refreshes: 1 },
  ]);
});
