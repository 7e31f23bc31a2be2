import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  type CircuitBreakerPolicy,
} from "cockatiel";
import type { AttemptResult } from "../message.ts";

/** After this many failures in a row a provider is skipped for skipMs milliseconds. */
const failuresToSkip = 5;
const skipMs = 10_000;

/** Failures of the vendor itself, not of one recipient. */
const isVendorFailure = (result: unknown) =>
  ["declined", "unreachable", "uncertain"].includes((result as AttemptResult).outcome);

export interface Breakers {
  /** Sends with a provider and records the result. */
  run: (name: string, send: () => Promise<AttemptResult>) => Promise<AttemptResult>;
  /** The providers to skip: those that keep failing, and those whose Retry-After has not passed. */
  unavailable: () => string[];
}

/**
 * Creates a circuit breaker for each provider. SQL still chooses a skipped provider where there is no other: otherwise
 * an attacker could block all messages by making five sends fail.
 * @param now monotonic time in milliseconds
 */
export function createBreakers(names: string[], now = performance.now.bind(performance)): Breakers {
  const breakers = new Map(names.map((name) => [name, createBreaker()]));

  function createBreaker(): { policy: CircuitBreakerPolicy; skipUntil: number } {
    const policy = circuitBreaker(handleWhenResult(isVendorFailure), {
      halfOpenAfter: skipMs,
      breaker: new ConsecutiveBreaker(failuresToSkip),
    });
    const breaker = { policy, skipUntil: 0 };
    policy.onBreak(() => (breaker.skipUntil = now() + skipMs));
    return breaker;
  }

  return {
    unavailable: () => [...breakers].filter(([, { skipUntil }]) => now() < skipUntil).map(([name]) => name),

    async run(name, send) {
      const breaker = breakers.get(name);
      if (!breaker) return send();
      const result = await send();
      // The breaker gets the result afterwards. Around the send itself, a half-open circuit would let one message
      // through and refuse the others until the vendor has answered it.
      await breaker.policy
        .execute(() => result)
        .catch((error: unknown) => {
          if (!isBrokenCircuitError(error)) throw error;
        });
      if (result.retryAfterSeconds)
        breaker.skipUntil = Math.max(breaker.skipUntil, now() + result.retryAfterSeconds * 1_000);
      if (result.outcome === "sent" && breaker.policy.state === CircuitState.Closed) breaker.skipUntil = 0;
      return result;
    },
  };
}
