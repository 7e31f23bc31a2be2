import { expect, test, vi } from "vitest";
import { recordedDelays } from "../testing/postgres/recorded_delays.ts";
import { collectLog } from "../testing/log_lines.ts";
import { startHeartbeat } from "./heartbeat.ts";

vi.mock(import("node:timers/promises"), async (original) => {
  const { recordDelays } = await import("../testing/postgres/recorded_delays.ts");
  return recordDelays(await original());
});

test("a worker writes its heartbeat every ten seconds, also after one that failed", async () => {
  const { log, lines } = collectLog();
  let beats = 0;
  const heartbeat = (...beat: unknown[]) => {
    beats++;
    expect(beat).toEqual(["this one", false, ["console"]]);
    return beats === 1 ? Promise.reject(new Error("the database is unavailable")) : Promise.resolve();
  };
  const canSend = () => Promise.resolve(false);
  const { stop } = startHeartbeat({
    worker: "this one",
    delivery: { heartbeat },
    providerCheck: { canSend },
    providers: ["console"],
    log,
  });
  await vi.waitUntil(() => beats >= 4, { timeout: 90_000 });
  await stop();
  // api.check_readiness reports a missing worker after 30 seconds: two heartbeats may fail.
  expect(new Set(recordedDelays)).toEqual(new Set([10_000]));
  expect(lines).toMatchObject([{ level: 40, err: "the database is unavailable" }]);
});
