import { LRUCache } from "lru-cache";

/** A full bucket holds this many seconds of its refill rate: the first documents of a page arrive together. */
const burstSeconds = 3;
const maxBuckets = 20_000;

export interface TokenBucket {
  isExhausted: () => boolean;
  charge: (ms: number) => void;
}

/**
 * Creates token buckets whose tokens are milliseconds.
 * @param msPerSecond the refill rate of each bucket
 * @param now a monotonic clock in milliseconds
 * @returns a function that returns the bucket of a key
 */
export function createTokenBuckets(msPerSecond: number, now: () => number): (key: string) => TokenBucket {
  const capacity = msPerSecond * burstSeconds;
  const buckets = new LRUCache<string, { tokens: number; updatedAt: number }>({ max: maxBuckets });
  const refill = (key: string) => {
    const time = now();
    const { tokens, updatedAt } = buckets.get(key) ?? { tokens: capacity, updatedAt: time };
    return {
      tokens: Math.min(capacity, tokens + ((time - updatedAt) * msPerSecond) / 1000),
      updatedAt: time,
    };
  };
  return (key) => ({
    isExhausted: () => refill(key).tokens <= 0,
    charge(ms) {
      const { tokens, updatedAt } = refill(key);
      // The lower bound refuses nobody for more than three seconds, even after a lock held up all callers for long.
      buckets.set(key, { tokens: Math.max(-capacity, tokens - ms), updatedAt });
    },
  });
}
