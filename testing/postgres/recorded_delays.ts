import type timersPromises from "node:timers/promises";

type Timers = typeof timersPromises;

/** Milliseconds of each delay that the code under test requested, oldest first. */
export const recordedDelays: number[] = [];

/** For vi.mock of node:timers/promises: `setTimeout` records its delay and resolves immediately. */
export function recordDelays(timers: Timers): Timers {
  const record = (ms?: number) => {
    recordedDelays.push(ms ?? 0);
    return timers.setImmediate();
  };
  return { ...timers, setTimeout: record as Timers["setTimeout"] };
}
