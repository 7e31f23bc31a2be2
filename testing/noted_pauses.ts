import type timersPromises from "node:timers/promises";

type Timers = typeof timersPromises;

/** How long the code under test would have paused, in milliseconds, oldest first; it goes on at once. */
export const pauses: number[] = [];

/** For vi.mock of node:timers/promises. */
export function notePauses(timers: Timers): Timers {
  const note = (ms?: number) => {
    pauses.push(ms ?? 0);
    return timers.setImmediate();
  };
  return { ...timers, setTimeout: note as Timers["setTimeout"] };
}
