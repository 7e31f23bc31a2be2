import { setImmediate as settle } from "node:timers/promises";
import { expect } from "vitest";
import { createPasswordQueue } from "../../server/passwords/password_queue.ts";
import { UnavailableError } from "../../runtime/database/errors.ts";

/** Longer than any refusal is delayed (server/passwords/late_refusals.ts). */
const longestRefusalDelayMs = 4_000;

/** A clock that stands still until the test advances it. */
export function createManualClock() {
  let time = 0;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => time,
    after: (ms: number, callback: () => void) => void timers.push({ at: time + ms, callback }),
    advance(ms: number) {
      time += ms;
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { callback } of due) callback();
    },
  };
}

/** A password queue whose time and whose calls' ends are controlled by the test. */
export function createQueueHarness({ connections = 4, spareConnections = 0, waiting = 20, callsPerClient = 8 } = {}) {
  const clock = createManualClock();
  let alone = false;
  const queue = createPasswordQueue({
    connections,
    spareConnections,
    heavyConnections: Math.ceil(connections / 2),
    isAlone: () => alone,
    waiting,
    callsPerClient,
    clock,
  });
  const running = new Map<string, () => void>();
  const outcomes = new Map<string, string>();
  const names: string[] = [];

  /** Queues a call and returns its name: the client, or client/number from the client's second call on. */
  const call = (client: string, subject = `${client}'s ${names.length}`) => {
    const name = names.includes(client) ? `${client}/${names.length}` : client;
    names.push(name);
    const work = () => new Promise<void>((resolve) => running.set(name, resolve));
    queue.run({ client, subject }, work).then(
      () => outcomes.set(name, "done"),
      (error: unknown) => outcomes.set(name, error instanceof UnavailableError ? "unavailable" : String(error)),
    );
    return name;
  };
  /** Completes a running call after `ms` milliseconds. */
  const end = async (name: string, ms = 50) => {
    clock.advance(ms);
    running.get(name)!();
    running.delete(name);
    await settle();
    clock.advance(0);
  };
  return {
    call,
    end,
    advance: (ms: number) => clock.advance(ms),
    /** Says whether nothing but password calls runs. At first something does. */
    setAlone: (isAlone: boolean) => (alone = isAlone),
    running: () => [...running.keys()],
    outcomeOf: (name: string) => outcomes.get(name),
    /** Advances the clock until every delayed refusal is sent, and returns the calls refused so far. */
    async refusedCalls() {
      clock.advance(longestRefusalDelayMs);
      await settle();
      return [...outcomes].filter(([, outcome]) => outcome === "unavailable").map(([name]) => name);
    },
    /** Runs `count` calls of a client, one after another. */
    async runCalls(client: string, count: number, subject?: string) {
      for (let index = 0; index < count; index++) {
        const name = call(client, subject);
        await settle();
        await end(name);
        expect(outcomes.get(name)).toBe("done");
      }
    },
  };
}
