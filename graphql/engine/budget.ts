import type { Caller } from "../authorization/caller.ts";
import { identifyingAddress, principalOf } from "./payers.ts";
import { exceededForNow } from "../refusal.ts";
import { threadCpuMs } from "./thread_cpu.ts";
import { createTokenBuckets, type TokenBucket } from "./token_buckets.ts";

/** Refill rates, relative to a principal's. A principal whose known documents exceed `unqueued` must queue for them. */
const shares = { principal: 1, guestsOfOneAddress: 1.5, allGuests: 2.5, admin: 2.5, unqueued: 0.1 };
/** A request with a known document costs only the time beyond this. */
const freeMs = 1;
/** Bytes of a response that the event loop assembles in a millisecond, measured with responses of 400 KB. */
const bytesPerMs = 15_000;

/** Charges one request for its time of the event loop. */
export interface RequestBudget {
  /** Runs synchronous work and charges its duration, also if it throws. */
  run: <T>(work: () => T) => T;
  /** Charges for a response of so many bytes: Grafast assembles its rows in ticks that `run` cannot measure. */
  chargeResponse: (bytes: number) => void;
}

export interface Budget {
  /**
   * @param isKnown whether the work is on a document that needs no turn for it: preparing one that is validated, executing one whose
   * plan is cached
   * @throws Refusal (429) when a token bucket of the caller is exhausted
   */
  admit: (caller: Caller, isKnown: boolean) => RequestBudget;
  /** Whether the caller's known documents cost so much that they must queue as new ones do. */
  mustQueue: (caller: Caller) => boolean;
  /** Charges a principal for milliseconds of PostgreSQL's time; a negative number charges nothing. */
  chargeDatabase: (settings: Caller["settings"], ms: number) => void;
}

interface Options {
  /** A principal's share of the event loop, in milliseconds per second. */
  msPerSecond: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** CPU time of this thread in milliseconds. */
  cpu?: () => number;
}

/**
 * Divides the event loop's time among callers, because parsing, validating and planning are synchronous.
 * Anybody can create guest sessions, so guests also share buckets by address and in total. Only new documents charge
 * and need those: an attacker who exhausts them does not affect the documents that other guests' clients usually send.
 */
export function createBudget({
  msPerSecond,
  now = () => performance.now(),
  cpu = threadCpuMs,
}: Options): Budget {
  const createBuckets = (share: number) => createTokenBuckets(msPerSecond * share, now);
  const principals = createBuckets(shares.principal);
  const addresses = createBuckets(shares.guestsOfOneAddress);
  const guests = createBuckets(shares.allGuests);
  const admins = createBuckets(shares.admin);
  const unqueued = createBuckets(shares.unqueued);

  const bucketsOf = (caller: Caller, isKnown: boolean): TokenBucket[] => {
    const { audience, settings } = caller;
    if (audience === "admin") return [admins("admin")];
    const principal = principals(principalOf(settings));
    if (isKnown || settings.role !== "latchkey_guest") return [principal];
    const address = identifyingAddress(caller);
    return [principal, guests("all"), ...(address === undefined ? [] : [addresses(address)])];
  };

  return {
    admit(caller, isKnown) {
      const buckets = bucketsOf(caller, isKnown);
      if (buckets.some((bucket) => bucket.isExhausted())) throw budgetExhausted;
      if (isKnown) buckets.push(unqueued(principalOf(caller.settings)));
      let remainingFreeMs = isKnown ? freeMs : 0;
      const charge = (ms: number) => {
        for (const bucket of buckets) bucket.charge(Math.max(0, ms - remainingFreeMs));
        remainingFreeMs = Math.max(0, remainingFreeMs - ms);
      };
      return {
        run(work) {
          const startedAt = { clock: now(), cpu: cpu() };
          try {
            return work();
          } finally {
            // A busy machine stretches the clock's time, which is not the caller's fault. CPU time comes in ticks of some
            // milliseconds, so short work may seem to take a whole one.
            charge(Math.min(now() - startedAt.clock, cpu() - startedAt.cpu));
          }
        },
        chargeResponse: (bytes) => charge(bytes / bytesPerMs),
      };
    },
    mustQueue: ({ audience, settings }) =>
      audience !== "admin" && unqueued(principalOf(settings)).isExhausted(),
    chargeDatabase: (settings, ms) => principals(principalOf(settings)).charge(Math.max(0, ms)),
  };
}

const budgetExhausted = exceededForNow(
  "This user, or guests together, have used up their share of the server's time. Try again in a few seconds, and send constant documents with variables.",
);
