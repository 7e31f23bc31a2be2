import { LRUCache } from "lru-cache";

/** Usage (calls or milliseconds) that decays with a half-life. */
export interface Usage {
  amount: number;
  /** The time at which `amount` was exact, in milliseconds. */
  at: number;
}

export interface RecentUsage {
  /** Returns the usage of a client, subject or payer; the same object until it is evicted. */
  of: (name: string) => Usage;
  /** Returns the amount after decay. */
  recent: (usage: Usage) => number;
  /** Adds an amount; a negative amount takes usage back. */
  add: (usage: Usage, amount: number) => void;
}

/** Bounds memory: the least recently used entries are evicted. */
const maxEntries = 10_000;

/**
 * Tracks recent usage per client, subject or payer.
 * @param now returns monotonic time in milliseconds
 * @param halfLifeMs milliseconds after which an amount counts half
 */
export function createRecentUsage(now: () => number, halfLifeMs: number): RecentUsage {
  const usages = new LRUCache<string, Usage>({ max: maxEntries });
  const recent = ({ amount, at }: Usage) => amount * 2 ** ((at - now()) / halfLifeMs);
  return {
    recent,
    of(name) {
      const usage = usages.get(name) ?? { amount: 0, at: now() };
      usages.set(name, usage);
      return usage;
    },
    add(usage, amount) {
      usage.amount = Math.max(0, recent(usage) + amount);
      usage.at = now();
    },
  };
}
