import { expect, test, vi } from "vitest";
import { collectLog } from "../testing/log_lines.ts";
import { ReconnectingPool } from "./reconnecting_pool.ts";

/** How long the pool would have waited before each attempt; it goes on at once. */
const pauses = vi.hoisted<number[]>(() => []);
vi.mock(import("node:timers/promises"), async (original) => {
  const timers = await original();
  const note = (ms?: number) => {
    pauses.push(ms ?? 0);
    return timers.setImmediate();
  };
  return { ...timers, setTimeout: note as typeof timers.setTimeout };
});

test("a database that is away is asked again after pauses that grow to two seconds, and no further", async () => {
  const pool = new ReconnectingPool({ connectionString: "postgres://x@127.0.0.1:1/x" }, collectLog().log);
  pool.keepTrying();
  const refused = expect(pool.connect()).rejects.toThrow("ECONNREFUSED");
  await vi.waitUntil(() => pauses.length >= 8, { timeout: 30_000 });
  pool.stopTrying();
  await refused;
  await pool.end();
  expect(pauses.slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});
