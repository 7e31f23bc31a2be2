import { afterEach, expect, test, vi } from "vitest";
import { retryWait } from "../src/retry_wait.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function stubWindow(): { online: Set<() => void> } {
  const online = new Set<() => void>();
  vi.stubGlobal("window", {
    addEventListener: (_: "online", listener: () => void) => online.add(listener),
    removeEventListener: (_: "online", listener: () => void) => online.delete(listener),
  });
  return { online };
}

test("a wait that is over leaves no listener behind", async () => {
  const { online } = stubWindow();
  await retryWait(0);
  expect(online.size).toBe(0);
});

test("a wait ends when the network is back", async () => {
  vi.useFakeTimers();
  const { online } = stubWindow();
  const waiting = retryWait(20);
  for (const listener of online) listener();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});
