import type { Caller } from "../../authorization/caller.ts";
import { callerClassOf, principalOf } from "./principals.ts";
import { exceededForNow } from "../../refusal.ts";
import { createTokenBuckets } from "./token_buckets.ts";

/** A request with a known document is free up to this. */
const freeMs = 1;
/** Bytes of a response that the event loop assembles in a millisecond, measured with responses of 400 KB. */
const bytesPerMs = 15_000;

/** A request that is not costly holds a connection for so many milliseconds free of charge. */
const freeDatabaseMs = 20;

/** Charges one request for its time. */
export interface RequestBudget {
  /** Charges all guests together, too, if it is a guest's. @throws Refusal (429) if their budget is used up */
  countAsHeavy: () => void;
  /** As countAsHeavy, for a request whose statements may take long: it pays for all their time. */
  countAsCostly: () => void;
  /** @throws Refusal (429) if a budget is used up: other requests may have used it while this one waited */
  requireRest: () => void;
  /** Runs synchronous work and charges its duration, also if it throws. */
  run: <T>(work: () => T) => T;
  /** Charges for a response of so many bytes: Grafast assembles its rows in ticks that `run` cannot measure. */
  chargeResponse: (bytes: number) => void;
  /** Charges for milliseconds of PostgreSQL's time. */
  chargeDatabase: (ms: number) => void;
}

export interface Budget {
  /**
   * @param isKnown whether the plan of the document is cached
   * @throws Refusal (429) if the principal's budget is used up
   */
  admit: (caller: Caller, isKnown: boolean) => RequestBudget;
}

interface Options {
  /** Milliseconds in each second that a principal may use. */
  msPerSecond: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Gives each principal one budget of milliseconds for planning, responses and PostgreSQL. The admin's programs are
 * trusted.
 */
export function createBudget({ msPerSecond, now = () => performance.now() }: Options): Budget {
  const bucketOf = createTokenBuckets(msPerSecond, now);

  return {
    admit(caller, isKnown) {
      const callerClass = callerClassOf(caller);
      const keys = new Set(callerClass === "admin" ? [] : [`${callerClass} ${principalOf(caller)}`]);
      const charge = (ms: number) => {
        for (const key of keys) bucketOf(key).charge(ms);
      };
      const requireRest = () => {
        for (const key of keys) if (bucketOf(key).isExhausted()) throw budgetExhausted;
      };
      let remainingFreeMs = isKnown ? freeMs : 0;
      let remainingFreeDatabaseMs = freeDatabaseMs;
      const chargeLoop = (ms: number) => {
        charge(Math.max(0, ms - remainingFreeMs));
        remainingFreeMs = Math.max(0, remainingFreeMs - ms);
      };
      const countAsHeavy = () => {
        if (callerClass === "guests") keys.add("guests");
        requireRest();
      };
      requireRest();
      return {
        countAsHeavy,
        countAsCostly() {
          remainingFreeDatabaseMs = 0;
          countAsHeavy();
        },
        requireRest,
        run(work) {
          const startedAt = now();
          try {
            return work();
          } finally {
            chargeLoop(now() - startedAt);
          }
        },
        chargeResponse: (bytes) => chargeLoop(bytes / bytesPerMs),
        chargeDatabase(ms) {
          charge(Math.max(0, ms - remainingFreeDatabaseMs));
          remainingFreeDatabaseMs = Math.max(0, remainingFreeDatabaseMs - ms);
        },
      };
    },
  };
}

const budgetExhausted = exceededForNow(
  "budget",
  "This user, or guests together, have used up their share of the server's time. Try again in a few seconds, and send constant documents with variables.",
);
