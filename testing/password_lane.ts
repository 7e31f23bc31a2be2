import { setImmediate as settle } from "node:timers/promises";
import { expect } from "vitest";
import { createPasswordQueue } from "../server/queues/password_queue.ts";
import { Unavailable } from "../runtime/database_errors.ts";

/** A clock that the test moves. */
export function makeClock() {
  let time = 0;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => time,
    after: (ms: number, callback: () => void) => void timers.push({ at: time + ms, callback }),
    pass(ms: number) {
      time += ms;
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { callback } of due) callback();
    },
  };
}

/** A queue whose clock and whose calls' ends are the test's. */
export function makeLane({ connections = 4, spareConnections = 0, waiting = 20 } = {}) {
  const clock = makeClock();
  const queue = createPasswordQueue({
    connections,
    spareConnections,
    heavyConnections: Math.ceil(connections / 2),
    waiting,
    clock,
  });
  const running = new Map<string, () => void>();
  const outcomes = new Map<string, string>();
  const names: string[] = [];

  /** Result: the call's name, client or client/number from a client's second call on. */
  const call = (client: string, phone = `${client}'s ${names.length}`) => {
    const name = names.includes(client) ? `${client}/${names.length}` : client;
    names.push(name);
    const work = () => new Promise<void>((resolve) => running.set(name, resolve));
    queue.run({ client, phone }, work).then(
      () => outcomes.set(name, "done"),
      (error: unknown) => outcomes.set(name, error instanceof Unavailable ? "unavailable" : String(error)),
    );
    return name;
  };
  const end = async (name: string, ms = 50) => {
    clock.pass(ms);
    running.get(name)!();
    running.delete(name);
    await settle();
    clock.pass(0);
  };
  return {
    call,
    end,
    pass: (ms: number) => clock.pass(ms),
    running: () => [...running.keys()],
    outcomeOf: (name: string) => outcomes.get(name),
    /** Lets the refusals that are held back go; result: the calls refused up to now. */
    async refused() {
      clock.pass(4_000);
      await settle();
      return [...outcomes].filter(([, outcome]) => outcome === "unavailable").map(([name]) => name);
    },
    /** Has a client make so many calls, one after another. */
    async use(client: string, calls: number, phone?: string) {
      for (let times = 0; times < calls; times++) {
        const name = call(client, phone);
        await settle();
        await end(name);
        expect(outcomes.get(name)).toBe("done");
      }
    },
  };
}
