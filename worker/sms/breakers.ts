import type { AttemptResult } from "../message.ts";

/** After this many failures in a row a provider is skipped for skipMs milliseconds. */
const failuresToSkip = 5;
const skipMs = 10_000;

/** Failures of the vendor itself, not of one recipient. */
const isVendorFailure = ({ outcome }: AttemptResult) => ["declined", "unreachable", "uncertain"].includes(outcome);

export interface Breakers {
  /** Sends with a provider and records the result. */
  run: (name: string, send: () => Promise<AttemptResult>) => Promise<AttemptResult>;
  /** The providers to skip: those that keep failing, and those whose Retry-After has not passed. */
  unavailable: () => string[];
}

/**
 * Creates a circuit breaker for each provider. SQL still chooses a skipped provider where there is no other: otherwise
 * an attacker could block all messages by making five sends fail. Once the time has passed, one more failure skips the
 * provider again, and one success ends the count.
 * @param now monotonic time in milliseconds
 */
export function createBreakers(names: string[], now = performance.now.bind(performance)): Breakers {
  const breakers = new Map(names.map((name) => [name, { failures: 0, brokenUntil: 0, retryAt: 0 }]));
  return {
    unavailable: () =>
      [...breakers]
        .filter(([, { brokenUntil, retryAt }]) => now() < Math.max(brokenUntil, retryAt))
        .map(([name]) => name),

    async run(name, send) {
      const result = await send();
      const breaker = breakers.get(name);
      if (!breaker) return result;
      // While it is skipped, results of earlier sends count no more.
      if (now() >= breaker.brokenUntil) {
        breaker.failures = isVendorFailure(result) ? breaker.failures + 1 : 0;
        if (breaker.failures >= failuresToSkip) breaker.brokenUntil = now() + skipMs;
      }
      if (result.retryAfterSeconds)
        breaker.retryAt = Math.max(breaker.retryAt, now() + result.retryAfterSeconds * 1_000);
      if (result.outcome === "sent" && breaker.failures === 0) breaker.retryAt = 0;
      return result;
    },
  };
}
