import { expect, vi } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";

const drainDelayMs = 54_321;
/** The delay during which a server that is stopping still serves. The test ends it. */
const delay = vi.hoisted(() => ({ begun: false, ...Promise.withResolvers<undefined>() }));
vi.mock(import("node:timers/promises"), async (original) => {
  const timers = await original();
  const wait = (ms?: number, ...rest: []) => {
    if (ms !== drainDelayMs) return timers.setTimeout(ms, ...rest);
    delay.begun = true;
    return delay.promise;
  };
  return { ...timers, setTimeout: wait as typeof timers.setTimeout };
});

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }));

test("a server that is stopping is unready first, still answers with Connection: close, and then closes", async ({
  service,
}) => {
  const { url, stop } = await service.startAnotherServer({ DRAIN_DELAY_MS: String(drainDelayMs) });
  const stopped = stop();
  expect(delay.begun).toBe(true);
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "unready", failed: ["stopping"] }]);
  const guest = await fetch(`${url}/api/v1/auth/session/guest`, { method: "POST" });
  expect([guest.status, guest.headers.get("connection")]).toEqual([200, "close"]);
  await guest.text();

  delay.resolve(undefined);
  await stopped;
  await expect(fetch(`${url}/live`)).rejects.toThrow("fetch failed");
});
