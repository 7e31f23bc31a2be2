import { expect, test, vi } from "vitest";
import { throttle } from "./throttle.ts";

test("many calls in one pause are two: the first at once, the last after the pause", () => {
  vi.useFakeTimers();
  const call = vi.fn();
  const throttled = throttle(call, 1_000);
  for (let i = 0; i < 5; i++) throttled();
  expect(call).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(call).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(call).toHaveBeenCalledTimes(2);
  throttled();
  expect(call).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test("a stopped throttle makes no late call", () => {
  vi.useFakeTimers();
  const call = vi.fn();
  const throttled = throttle(call, 1_000);
  throttled();
  throttled();
  throttled.stop();
  vi.advanceTimersByTime(5_000);
  expect(call).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
