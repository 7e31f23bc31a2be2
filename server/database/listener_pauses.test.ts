import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { makeDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { pauses } from "../../testing/noted_pauses.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { startTcpProxy } from "../../testing/tcp_proxy.ts";
import { startListener } from "./listener.ts";

vi.mock(import("node:timers/promises"), async (original) => {
  const { notePauses } = await import("../../testing/noted_pauses.ts");
  return notePauses(await original());
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
