import { LRUCache } from "lru-cache";

/** What somebody had used at a time, calls or milliseconds, of which ever less counts after it. */
export interface Usage {
  amount: number;
  at: number;
}

export interface RecentUsage {
  /** The usage of a client, phone or payer, by its name. */
  of: (name: string) => Usage;
  /** What of it still counts. */
  recent: (usage: Usage) => number;
  /** Adds an amount, or takes it back. */
  add: (usage: Usage, amount: number) => void;
}

/** Bounds memory: those that used something least recently are forgotten. */
const remembered = 10_000;

/**
 * Adds up what each client, phone or payer used lately.
 * @param now milliseconds of a clock that never goes back
 * @param halfLifeMs after so long half of an amount counts
 */
export function createRecentUsage(now: () => number, halfLifeMs: number): RecentUsage {
  const usages = new LRUCache<string, Usage>({ max: remembered });
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
