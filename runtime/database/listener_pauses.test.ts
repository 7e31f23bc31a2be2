import { expect, vi } from "vitest";
import { z } from "zod";
import { test } from "../../testing/fixtures.ts";
import { recordedDelays } from "../../testing/postgres/recorded_delays.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { startTcpProxy } from "../../testing/network/tcp_proxy.ts";
import { startListener } from "./listener.ts";

vi.mock(import("node:timers/promises"), async (original) => {
  const { recordDelays } = await import("../../testing/postgres/recorded_delays.ts");
  return recordDelays(await original());
});

test("a database that is unavailable is retried after pauses of at most two seconds", async ({ database }) => {
  const proxy = await startTcpProxy(database.superuserUrl);
  const url = proxy.through(database.superuserUrl);
  const listener = await startListener({ url, variable: "DIRECT_URL" }, { one: z.string() }, collectLog().log);
  await proxy.cut();
  await vi.waitUntil(() => recordedDelays.length >= 8, { timeout: 90_000 });
  await listener.stop();
  await proxy.stop();
  expect(recordedDelays.slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});
