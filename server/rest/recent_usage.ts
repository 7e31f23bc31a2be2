import { LRUCache } from "lru-cache";

/** Milliseconds that somebody had used at a time, of which ever fewer count after it. */
export interface Usage {
  ms: number;
  at: number;
}

export interface RecentUsage {
  /** The usage of a client or phone, by its name. */
  of: (name: string) => Usage;
  /** Milliseconds that still count. */
  recent: (usage: Usage) => number;
  /** Adds milliseconds, or takes them back. */
  charge: (usage: Usage, ms: number) => void;
}

const halfLifeMs = 60_000;
/** Bounds memory: those that called least recently are forgotten. */
const remembered = 10_000;

/** Books of what each client or phone used lately. now: milliseconds of a clock that never goes back. */
export function createRecentUsage(now: () => number): RecentUsage {
  const usages = new LRUCache<string, Usage>({ max: remembered });
  const recent = ({ ms, at }: Usage) => ms * 2 ** ((at - now()) / halfLifeMs);
  return {
    recent,
    of(name) {
      const usage = usages.get(name) ?? { ms: 0, at: now() };
      usages.set(name, usage);
      return usage;
    },
    charge(usage, ms) {
      usage.ms = Math.max(0, recent(usage) + ms);
      usage.at = now();
    },
  };
}
