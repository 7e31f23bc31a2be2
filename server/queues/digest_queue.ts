import { UnavailableError } from "../../runtime/database_errors.ts";
import { systemClock, type Clock } from "./late_refusals.ts";
import { createUsageQueue } from "./usage_queue.ts";

export interface DigestQueue {
  /**
   * Runs the work when it is the client's turn. Rejects with the work's own error.
   * @throws UnavailableError when the queue is full or the call waited too long
   */
  run: <T>(client: string, work: () => Promise<T>) => Promise<T>;
}

interface Options {
  /** How many digests of one client may be computed or wait. */
  callsPerClient: number;
  clock?: Clock;
}

const maxWaiting = 200;
const maxWaitMs = 5_000;

/**
 * Creates the queue for digests of imported hashes. Their costs come from another system and may be thirty times those
 * of a native login, so they use no connection of the password queue and one core at most: native logins go on however
 * many digests wait. The client whose digests took the least time lately goes first.
 */
export function createDigestQueue({ callsPerClient, clock = systemClock }: Options): DigestQueue {
  const { now, after } = clock;
  const refusal = () => new UnavailableError("the queue for digests of imported hashes is full");
  const queue = createUsageQueue({
    concurrency: 1,
    bounds: { perPayer: callsPerClient, total: maxWaiting },
    refusal,
    now,
  });
  return {
    run: (client, work) =>
      new Promise((resolve, reject) => {
        let state: "waiting" | "started" | "refused" = "waiting";
        after(maxWaitMs, () => {
          if (state !== "waiting") return;
          state = "refused";
          reject(refusal());
        });
        const compute = async () => {
          if (state === "refused") return;
          state = "started";
          const startedAt = now();
          await work()
            .then(resolve, reject)
            .finally(() => queue.charge(client, now() - startedAt));
        };
        queue.run(client, compute).catch(reject);
      }),
  };
}
