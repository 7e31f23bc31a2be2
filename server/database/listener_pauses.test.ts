import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { makeDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { startTcpProxy } from "../../testing/tcp_proxy.ts";
import { startListener } from "./listener.ts";

/** How long the listener would have waited before each attempt; it goes on at once. */
const pauses = vi.hoisted<number[]>(() => []);
vi.mock(import("node:timers/promises"), async (original) => {
  const timers = await original();
  const note = (ms?: number) => {
    pauses.push(ms ?? 0);
    return timers.setImmediate();
  };
  return { ...timers, setTimeout: note as typeof timers.setTimeout };
});

let database: TestDatabase;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

test("a database that is away is asked again after pauses that grow to two seconds, and no further", async () => {
  const proxy = await startTcpProxy(database.superuserUrl);
  const url = proxy.through(database.superuserUrl);
  const listener = await startListener(url, { one: z.string() }, collectLog().log);
  await proxy.cut();
  await vi.waitUntil(() => pauses.length >= 8, { timeout: 30_000 });
  await listener.stop();
  await proxy.stop();
  expect(pauses.slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});
